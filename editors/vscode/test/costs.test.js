// SPDX-License-Identifier: Apache-2.0
// What the extension reads and finds, without an editor. COSTS names a file of gnomon api doc --form json.
'use strict';

const assert = require('node:assert/strict');
const fs = require('node:fs');
const {test} = require('node:test');
const {lastWord, parseCosts, commonNames, findCosts, hoverText, findLines} = require('../costs');

const entry = (name, more) => ({name, symbol: name, file: null, line: 0, build: '01', short: '5 cycles', hover: '**cycles** 5 cycles', ...more});
const made = (...functions) => parseCosts(JSON.stringify({version: 1, about: '1 run of p.elf', functions}));

test('the last word of names', () => {
  const names = {
    'main': 'main', 'ns::C::f(int) const': 'f', 'f<int>': 'f', 'std::vector<int, std::allocator<int> >::push_back(int&&)': 'push_back', 'X::~X()': '~X', '(anonymous namespace)::g()': 'g',
    'core::fmt::Formatter::pad': 'pad', '<alloc::string::String as core::fmt::Display>::fmt': 'fmt', '[unprofiled]': 'unprofiled', '': '', '()': '', 'größe(int)': 'größe',
  };
  for (const [name, word] of Object.entries(names)) {
    assert.equal(lastWord(name), word, name);
  }
});

test('a function is found by its word, from its own file first', () => {
  const costs = made(entry('helper', {file: 'src/a/one.c', hover: 'one'}), entry('helper', {file: '../b/two.c', hover: 'two'}), entry('ns::f(int)'), entry('f(long)', {file: '/x/f.cpp'}));
  const hovers = (word, path) => findCosts(costs, word, path).map((one) => one.hover);
  assert.deepEqual(hovers('helper', '/home/src/a/one.c'), ['one']);
  assert.deepEqual(hovers('helper', 'C:\\work\\b\\two.c'), ['two']);
  assert.deepEqual(hovers('helper', '/home/other.c'), ['one', 'two']);
  assert.equal(hovers('f', '/home/other.c').length, 2);
  assert.deepEqual(hovers('absent', '/home/other.c'), []);
  assert.deepEqual(hovers('constructor', '/home/other.c'), []);
});

test('the ends of paths', () => {
  const cases = [['src/a.c', '/home/src/a.c', 2], ['./src/./a.c', '/home/src/a.c', 2], ['b.c', '/home/src/a.c', 0], [null, '/a.c', 0], ['x/a.c', 'y/a.c', 1], ['a.c', 'ba.c', 0]];
  cases.forEach(([one, other, count]) => assert.equal(commonNames(one, other), count, `${one} ${other}`));
});

test('the text has all that was found, and the source of the figures', () => {
  const costs = made(entry('a::f(int)', {file: 'x.c', hover: 'first'}), entry('b::f(int)', {hover: 'second'}), entry('g'));
  const text = hoverText(costs, findCosts(costs, 'f', '/y.c'));
  assert.match(text, /a::f\\\(int\\\)\*\* in x\\\.c\n\nfirst\n\n---\n\n.*b::f.*\n\nsecond\n\nGnomon: 1 run of p\\\.elf$/s);
  assert.equal(hoverText(costs, findCosts(costs, 'g', '/y.c')), '**cycles** 5 cycles\n\nGnomon: 1 run of p\\.elf');
});

test('lines above which a cost is shown', () => {
  const lines = ['#include <a.h>', '', 'static int one(int a)', '{', '  return two(a);', '}', '', 'int two (int a) {', '}', 'int $x(void);', '  void inner<int>() {'];
  const costs = made(entry('one', {file: 'a.c', line: 3, short: '1'}), entry('two', {file: 'src/a.c', line: 8, short: '2'}), entry('one', {file: 'b.c', line: 5, short: 'of another file'}),
    entry('gone', {file: 'a.c', line: 4}), entry('no_line', {file: 'a.c'}), entry('$x', {file: 'a.c', line: 31, short: '3'}), entry('void C::inner<int>()', {file: 'a.c', line: 11, short: '4'}));
  assert.deepEqual(findLines(costs, '/w/src/a.c', lines), [{line: 2, text: '1'}, {line: 7, text: '2'}, {line: 10, text: '4'}]);
  assert.deepEqual(findLines(costs, '/w/src/a.c', ['', '', '', ...lines]), [{line: 5, text: '1'}, {line: 10, text: '2'}, {line: 12, text: '3'}], 'three lines later; a call is no declaration');
  assert.deepEqual(findLines(costs, '/w/src/b.c', lines), [{line: 2, text: 'of another file'}]);
  assert.deepEqual(findLines(costs, '/w/src/c.c', lines), []);
});

test('files that are wrong are refused in words', () => {
  const good = {version: 1, about: '', functions: [entry('f')]};
  const cases = [['', /no JSON/], ['{"version": 1', /no JSON/], ['null', /no costs of functions/], ['[]', /no costs/], ['{"version": 1}', /no costs/], [JSON.stringify({...good, version: 2}), /version 2/],
    [JSON.stringify({...good, functions: [entry('f'), {}]}), /function 2 .* incomplete/], [JSON.stringify({...good, functions: [null]}), /function 1/], [JSON.stringify({...good, functions: [entry('f', {line: -1})]}), /function 1/],
    [JSON.stringify({...good, functions: [entry('f', {hover: 3})]}), /function 1/]];
  for (const [text, said] of cases) {
    assert.throws(() => parseCosts(text), said, text);
  }
  assert.equal(parseCosts(JSON.stringify(good)).byWord.size, 1);
  assert.equal(parseCosts(JSON.stringify({...good, functions: []})).byWord.size, 0);
});

test('what gnomon api doc wrote', {skip: !process.env.COSTS}, () => {
  const text = fs.readFileSync(process.env.COSTS, 'utf8');
  const costs = parseCosts(text);
  for (const one of JSON.parse(text).functions) {
    const found = findCosts(costs, lastWord(one.name), `/somewhere/${one.file}`);
    assert.ok(found.some((other) => other.hover === one.hover), one.name);
  }
});
