// An extension for tests: shows the folder of the server that it comes from as `disk://here/`, as an extension for a remote folder does.
const vscode = require('vscode');

exports.activate = (context) => {
  const changed = new vscode.EventEmitter();
  const at = (uri) => `${vscode.Uri.joinPath(context.extensionUri, '..', 'files').toString(true)}${uri.path}`;
  const read = async (uri) => {
    const answer = await fetch(at(uri));
    if (!answer.ok) throw vscode.FileSystemError.FileNotFound(uri);
    return answer;
  };
  const provider = {
    onDidChangeFile: changed.event,
    watch: () => new vscode.Disposable(() => undefined),
    stat: async (uri) => {
      const entries = (await read(uri)).headers.get('content-type') === 'application/json+folder';
      const type = entries ? vscode.FileType.Directory : vscode.FileType.File;
      return { type, ctime: 0, mtime: Date.now(), size: 1 };
    },
    readDirectory: async (uri) => (await (await read(uri)).json()).map((name) => [name, vscode.FileType.File]),
    readFile: async (uri) => new Uint8Array(await (await read(uri)).arrayBuffer()),
    writeFile: async (uri, body) => {
      await fetch(at(uri), { method: 'PUT', body });
      changed.fire([{ type: vscode.FileChangeType.Changed, uri }]);
    },
    createDirectory: () => undefined,
    delete: () => undefined,
    rename: () => undefined,
  };
  context.subscriptions.push(vscode.workspace.registerFileSystemProvider('disk', provider));
};
