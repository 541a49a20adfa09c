// A plugin whose message is 200,000 spaces.
exports.call = () => {
  throw Object.assign(new Error(`a${' '.repeat(200_000)}b`), { status: 400 });
};
