// SPDX-License-Identifier: Apache-2.0
// What `gnomon api doc --form json` wrote, read and searched. Nothing here needs the editor.
'use strict';

const VERSION = 1;
const CALL = /;\s*$|^\s*(return|if|else|for|while|do|switch|case)\b/; // an inner line that calls
const AGAIN = 'make it again: gnomon api doc --form json FILE.gnp >gnomon-api.json';

/**
 * The costs of one function.
 * @typedef {object} Entry
 * @property {string} name   as a programmer writes it: "ns::f(int)"
 * @property {string} symbol the linker's name
 * @property {?string} file  as the compiler was given it
 * @property {number} line   of the declaration, from 1; 0: not known
 * @property {string} build  the build id of the program
 * @property {string} short  a few words
 * @property {string} hover  Markdown
 */

/**
 * @typedef {object} Costs
 * @property {string} about where they are from
 * @property {Map<string, Entry[]>} byWord by the last word of their names
 */

/**
 * The last word of a function's name, without parameters and template arguments: "f" of "ns::C<int>::f(int) const".
 * @param {string} name
 * @returns {string}
 */
function lastWord(name) {
  let plain = '';
  let depth = 0;
  for (const character of name.replaceAll('(anonymous namespace)', '')) {
    if (character === '(' && depth === 0) {
      break;
    }
    depth += character === '<' ? 1 : 0;
    plain += depth ? '' : character;
    depth -= character === '>' && depth ? 1 : 0;
  }
  const words = plain.match(/~?[\p{L}_$][\p{L}\p{N}_$]*/gu);
  return words ? words[words.length - 1] : '';
}

/** @param {unknown} value @returns {value is Entry} */
function isEntry(value) {
  const entry = /** @type {any} */ (value);
  return Boolean(entry) && ['name', 'symbol', 'build', 'short', 'hover'].every((key) => typeof entry[key] === 'string') &&
    (entry.file === null || typeof entry.file === 'string') && Number.isInteger(entry.line) && entry.line >= 0;
}

/**
 * @param {string} text the file
 * @returns {Costs}
 * @throws {Error} with a message for the user
 */
function parseCosts(text) {
  let file;
  try {
    file = JSON.parse(text);
  } catch (error) {
    throw new Error(`it is no JSON (${/** @type {Error} */ (error).message}); ${AGAIN}`);
  }
  if (!file || typeof file !== 'object' || !Number.isInteger(file.version) || !Array.isArray(file.functions)) {
    throw new Error(`it has no costs of functions; ${AGAIN}`);
  }
  if (file.version !== VERSION) {
    throw new Error(`it has version ${file.version} of the format, and this extension knows ${VERSION}; install the extension of the same version as gnomon`);
  }
  const byWord = new Map();
  file.functions.forEach((/** @type {unknown} */ entry, /** @type {number} */ index) => {
    if (!isEntry(entry)) {
      throw new Error(`function ${index + 1} of its list is incomplete; ${AGAIN}`);
    }
    const word = lastWord(entry.name);
    byWord.set(word, [...(byWord.get(word) || []), entry]);
  });
  return {about: typeof file.about === 'string' ? file.about : '', byWord};
}

/** @param {string} path @returns {string[]} its names, from the last one on */
function namesOf(path) {
  return path.split(/[\\/]+/).filter((name) => name && name !== '.').reverse();
}

/**
 * How many names two paths have in common at their ends. The compiler's folder is not known here, so that is all that can be compared.
 * @param {?string} one
 * @param {string} other
 * @returns {number}
 */
function commonNames(one, other) {
  const left = namesOf(one || '');
  const right = namesOf(other);
  let count = 0;
  while (count < left.length && left[count] === right[count]) {
    count++;
  }
  return count;
}

/**
 * The functions that `word`, read in the file at `path`, can be. Those declared in this file come alone, if there are any: a static function
 * hides others of its name.
 * @param {Costs} costs
 * @param {string} word
 * @param {string} path
 * @returns {Entry[]}
 */
function findCosts(costs, word, path) {
  const found = costs.byWord.get(word) || [];
  const best = Math.max(0, ...found.map((entry) => commonNames(entry.file, path)));
  return best ? found.filter((entry) => commonNames(entry.file, path) === best) : found;
}

/** @param {string} text @returns {string} with no meaning in Markdown */
function plain(text) {
  return text.replace(/[\\`*_{}[\]<>()#+\-.!|~&]/g, '\\$&');
}

/**
 * @param {Costs} costs
 * @param {Entry[]} entries
 * @returns {string} Markdown
 */
function hoverText(costs, entries) {
  const several = entries.length > 1;
  const parts = entries.map((entry) => (several ? `**${plain(entry.name)}**${entry.file ? ` in ${plain(entry.file)}` : ''}\n\n` : '') + entry.hover);
  return `${parts.join('\n\n---\n\n')}\n\nGnomon: ${plain(costs.about)}`;
}

/**
 * The line, from 0, on which `word` is declared: that of the entry if it is not a call now; or, if the text has changed since, the nearest one
 * that is not indented. undefined: there is none.
 * @param {string} word
 * @param {number} line where it was
 * @param {string[]} lines
 * @returns {number | undefined}
 */
function declarationNear(word, line, lines) {
  const NEAR = 20;
  const named = new RegExp(`(^|[^\\p{L}\\p{N}_$])${word.replaceAll('$', '\\$')}\\s*(<[^()]*>)?\\(`, 'u');
  const fits = (/** @type {number} */ at) => at >= 0 && at < lines.length && named.test(lines[at]);
  for (let away = 0; away <= NEAR; away++) {
    const found = [line - away, line + away].find((at) => fits(at) && (/^\S/.test(lines[at]) || (away === 0 && !CALL.test(lines[at]))));
    if (found !== undefined) {
      return found;
    }
  }
  return undefined;
}

/**
 * Where the functions of a file are declared, and what to write above them. Those that are not found any more are left out.
 * @param {Costs} costs
 * @param {string} path
 * @param {string[]} lines of the text
 * @returns {{line: number, text: string}[]}
 */
function findLines(costs, path, lines) {
  const found = [];
  for (const word of costs.byWord.keys()) {
    for (const entry of findCosts(costs, word, path)) {
      const known = word && entry.line && commonNames(entry.file, path);
      const line = known ? declarationNear(word, entry.line - 1, lines) : undefined;
      if (line !== undefined) {
        found.push({line, text: entry.short});
      }
    }
  }
  return found.sort((a, b) => a.line - b.line);
}

module.exports = {lastWord, parseCosts, commonNames, findCosts, hoverText, findLines};
