// SPDX-License-Identifier: Apache-2.0
// Library functions that std::map and std::set need: steps in a red-black tree, and its balancing. `header` is the node
// above the root: its parent is the root, its left is the smallest node, its right is the greatest.
#include <bits/stl_tree.h>

namespace std {
namespace {
using Node = _Rb_tree_node_base;

bool is_red(const Node *node) {
    return node && node->_M_color == _S_red;
}

// Replaces `node` below its parent by `to`.
void replace(Node *node, Node *to, Node *&root) {
    if (node == root)
        root = to;
    else if (node == node->_M_parent->_M_left)
        node->_M_parent->_M_left = to;
    else
        node->_M_parent->_M_right = to;
    if (to)
        to->_M_parent = node->_M_parent;
}

// Rotates: `node` moves down to the side Near; its child of the side Far moves up.
template <Node *Node::*Near, Node *Node::*Far> void rotate(Node *node, Node *&root) {
    Node *child = node->*Far;
    node->*Far = child->*Near;
    if (child->*Near)
        (child->*Near)->_M_parent = node;
    replace(node, child, root);
    child->*Near = node;
    node->_M_parent = child;
}

// Repairs: `node` and its parent are red, and the parent is on the side Near of its own parent. Returns the node at
// which to continue.
template <Node *Node::*Near, Node *Node::*Far> Node *after_insert(Node *node, Node *&root) {
    Node *parent = node->_M_parent, *above = parent->_M_parent, *uncle = above->*Far;
    if (is_red(uncle)) {
        parent->_M_color = uncle->_M_color = _S_black;
        above->_M_color = _S_red;
        return above;
    }
    if (node == parent->*Far) {
        rotate<Near, Far>(parent, root);
        std::swap(node, parent);
    }
    parent->_M_color = _S_black;
    above->_M_color = _S_red;
    rotate<Far, Near>(above, root);
    return node;
}

// Repairs: the side Near of `parent` has one black node too few. Returns the node whose side now has one too few, or
// the root when done.
template <Node *Node::*Near, Node *Node::*Far> Node *after_erase(Node *parent, Node *&root) {
    Node *sibling = parent->*Far;
    if (is_red(sibling)) {
        sibling->_M_color = _S_black;
        parent->_M_color = _S_red;
        rotate<Near, Far>(parent, root);
        sibling = parent->*Far;
    }
    if (!is_red(sibling->*Near) && !is_red(sibling->*Far)) {
        sibling->_M_color = _S_red;
        return parent;
    }
    if (!is_red(sibling->*Far)) {
        (sibling->*Near)->_M_color = _S_black;
        sibling->_M_color = _S_red;
        rotate<Far, Near>(sibling, root);
        sibling = parent->*Far;
    }
    sibling->_M_color = parent->_M_color;
    parent->_M_color = (sibling->*Far)->_M_color = _S_black;
    rotate<Near, Far>(parent, root);
    return root;
}

template <Node *Node::*Near, Node *Node::*Far> Node *step(Node *node) {
    if (node->*Far) {
        node = node->*Far;
        while (node->*Near)
            node = node->*Near;
        return node;
    }
    Node *above = node->_M_parent;
    while (node == above->*Far) {
        node = above;
        above = above->_M_parent;
    }
    // The header's parent is the root. From the last node of a tree that has only one side, the loop ends at the header
    // itself.
    return node->*Far != above ? above : node;
}
} // namespace

_Rb_tree_node_base *_Rb_tree_increment(_Rb_tree_node_base *node) throw() {
    return step<&Node::_M_left, &Node::_M_right>(node);
}

const _Rb_tree_node_base *_Rb_tree_increment(const _Rb_tree_node_base *node) throw() {
    return _Rb_tree_increment(const_cast<Node *>(node));
}

_Rb_tree_node_base *_Rb_tree_decrement(_Rb_tree_node_base *node) throw() {
    if (node->_M_color == _S_red && node->_M_parent->_M_parent == node) // `node` is the header
        return node->_M_right;
    return step<&Node::_M_right, &Node::_M_left>(node);
}

const _Rb_tree_node_base *_Rb_tree_decrement(const _Rb_tree_node_base *node) throw() {
    return _Rb_tree_decrement(const_cast<Node *>(node));
}

void _Rb_tree_insert_and_rebalance(const bool left, _Rb_tree_node_base *node, _Rb_tree_node_base *parent,
                                   _Rb_tree_node_base &header) throw() {
    Node *&root = header._M_parent;
    node->_M_parent = parent;
    node->_M_left = node->_M_right = nullptr;
    node->_M_color = _S_red;
    if (left) {
        parent->_M_left = node; // if the tree is empty, `parent` is the header
        if (parent == &header)
            header._M_parent = header._M_right = node;
        else if (parent == header._M_left)
            header._M_left = node;
    } else {
        parent->_M_right = node;
        if (parent == header._M_right)
            header._M_right = node;
    }
    while (node != root && is_red(node->_M_parent)) {
        if (node->_M_parent == node->_M_parent->_M_parent->_M_left)
            node = after_insert<&Node::_M_left, &Node::_M_right>(node, root);
        else
            node = after_insert<&Node::_M_right, &Node::_M_left>(node, root);
    }
    root->_M_color = _S_black;
}

_Rb_tree_node_base *_Rb_tree_rebalance_for_erase(_Rb_tree_node_base *const node, _Rb_tree_node_base &header) throw() {
    Node *&root = header._M_parent;
    if (node == header._M_left)
        header._M_left = _Rb_tree_increment(node);
    if (node == header._M_right)
        header._M_right = _Rb_tree_decrement(node);
    Node *child, *parent; // child: takes the free place, may be null; parent: the node above that place
    auto missing = node->_M_color;
    if (!node->_M_left || !node->_M_right) {
        child = node->_M_left ? node->_M_left : node->_M_right;
        parent = node->_M_parent;
        replace(node, child, root);
    } else { // the next node in order takes the place and colour of `node`
        Node *next = node->_M_right;
        while (next->_M_left)
            next = next->_M_left;
        missing = next->_M_color;
        child = next->_M_right;
        parent = next->_M_parent == node ? next : next->_M_parent;
        if (next != node->_M_right) {
            replace(next, child, root);
            next->_M_right = node->_M_right;
            next->_M_right->_M_parent = next;
        }
        next->_M_left = node->_M_left;
        next->_M_left->_M_parent = next;
        replace(node, next, root);
        next->_M_color = node->_M_color;
    }
    if (missing == _S_red)
        return node;
    while (child != root && !is_red(child)) {
        if (child == parent->_M_left)
            child = after_erase<&Node::_M_left, &Node::_M_right>(parent, root);
        else
            child = after_erase<&Node::_M_right, &Node::_M_left>(parent, root);
        parent = child ? child->_M_parent : nullptr;
    }
    if (child)
        child->_M_color = _S_black;
    return node;
}
} // namespace std
