// SPDX-License-Identifier: Apache-2.0
// Shows what functions cost where they are named: on hover, and above their declarations.
'use strict';

const path = require('path');
const vscode = require('vscode');
const {parseCosts, findCosts, hoverText, findLines} = require('./costs');

const LANGUAGES = ['c', 'cpp', 'rust'].map((language) => ({language}));
const SETTLED = 300; // milliseconds after a change of the file until it is read: the command may still write it

/** The file of costs, and what it has. */
class Source {
  constructor() {
    /** @type {?import('./costs').Costs} */
    this.costs = null;
    this.changed = new vscode.EventEmitter();
    /** @type {vscode.Disposable[]} */
    this.watched = [];
    /** @type {?NodeJS.Timeout} */
    this.timer = null;
  }

  dispose() {
    clearTimeout(this.timer || undefined);
    this.watched.forEach((one) => one.dispose());
    this.changed.dispose();
  }

  /** @returns {Promise<?vscode.Uri>} null: there is none */
  async find() {
    const name = vscode.workspace.getConfiguration('gnomon').get('apiCosts', 'gnomon-api.json');
    if (!name) {
      return null;
    }
    if (path.isAbsolute(name)) {
      return vscode.Uri.file(name);
    }
    for (const folder of vscode.workspace.workspaceFolders || []) {
      const file = vscode.Uri.joinPath(folder.uri, name);
      try {
        await vscode.workspace.fs.stat(file);
        return file;
      } catch {
        continue; // it is in another folder, or below
      }
    }
    const [first] = await vscode.workspace.findFiles(`**/${name}`, '**/node_modules/**', 1);
    return first || null;
  }

  async read() {
    const file = await this.find();
    this.costs = null;
    try {
      this.costs = file && parseCosts(Buffer.from(await vscode.workspace.fs.readFile(file)).toString('utf8'));
    } catch (error) {
      vscode.window.showErrorMessage(`Gnomon: ${file && file.fsPath}: ${/** @type {Error} */ (error).message}`);
    }
    this.changed.fire(undefined);
  }

  later() {
    clearTimeout(this.timer || undefined);
    this.timer = setTimeout(() => this.read(), SETTLED);
  }

  /** Reads the file whenever it changes, appears or goes. */
  watch() {
    const name = vscode.workspace.getConfiguration('gnomon').get('apiCosts', 'gnomon-api.json');
    this.watched.forEach((one) => one.dispose());
    this.watched = [];
    if (name) {
      const pattern = path.isAbsolute(name) ? new vscode.RelativePattern(vscode.Uri.file(path.dirname(name)), path.basename(name)) : `**/${name}`;
      const watcher = vscode.workspace.createFileSystemWatcher(pattern);
      this.watched = [watcher, watcher.onDidChange(() => this.later()), watcher.onDidCreate(() => this.later()), watcher.onDidDelete(() => this.later())];
    }
    return this.read();
  }
}

/** @param {Source} source @returns {vscode.HoverProvider} */
function hovers(source) {
  return {
    provideHover(document, position) {
      const range = document.getWordRangeAtPosition(position, /~?[\p{L}_$][\p{L}\p{N}_$]*/u);
      const entries = source.costs && range ? findCosts(source.costs, document.getText(range), document.uri.path) : [];
      return source.costs && entries.length ? new vscode.Hover(new vscode.MarkdownString(hoverText(source.costs, entries)), range) : null;
    },
  };
}

/** @param {Source} source @returns {vscode.CodeLensProvider} */
function lenses(source) {
  return {
    onDidChangeCodeLenses: source.changed.event,
    provideCodeLenses(document) {
      if (!source.costs || !vscode.workspace.getConfiguration('gnomon').get('costsAbove', true)) {
        return [];
      }
      return findLines(source.costs, document.uri.path, document.getText().split(/\r?\n/)).map(({line, text}) =>
        new vscode.CodeLens(new vscode.Range(line, 0, line, 0), {title: text, command: ''}));
    },
  };
}

/** @param {vscode.ExtensionContext} context */
async function activate(context) {
  const source = new Source();
  context.subscriptions.push(source, vscode.languages.registerHoverProvider(LANGUAGES, hovers(source)), vscode.languages.registerCodeLensProvider(LANGUAGES, lenses(source)),
    vscode.commands.registerCommand('gnomon.readCosts', () => source.read()),
    vscode.workspace.onDidChangeConfiguration((event) => event.affectsConfiguration('gnomon') && source.watch()));
  await source.watch();
}

module.exports = {activate};
