// Stands in for the native logger of the served VS Code, whose build would need a compiler. Without it the server
// writes no log files at all, and those of the extension host are what explains a failed end-to-end test.
const { appendFileSync, mkdirSync } = require('node:fs');
const path = require('node:path');

const LEVELS = ['trace', 'debug', 'info', 'warning', 'error', 'critical', 'off'];

class Logger {
  constructor(_type, name, file) {
    this.name = name;
    this.file = file;
    this.level = 2;
    this.bare = false;
  }

  getLevel() {
    return this.level;
  }

  setLevel(level) {
    this.level = level;
  }

  clearFormatters() {
    this.bare = true;
  }

  setPattern() {
    this.bare = false;
  }

  flush() {}

  drop() {}

  write(level, message) {
    if (level < this.level) return;
    const stamp = new Date().toISOString().replace('T', ' ').replace('Z', '');
    try {
      appendFileSync(this.file, this.bare ? String(message) : `${stamp} [${LEVELS[level]}] ${message}\n`);
    } catch {
      // The folder goes away when a test ends, before the server does.
    }
  }

  trace(message) {
    this.write(0, message);
  }

  debug(message) {
    this.write(1, message);
  }

  info(message) {
    this.write(2, message);
  }

  warn(message) {
    this.write(3, message);
  }

  error(message) {
    this.write(4, message);
  }

  critical(message) {
    this.write(5, message);
  }
}

async function createLogger(type, name, file) {
  mkdirSync(path.dirname(file), { recursive: true });
  return new Logger(type, name, file);
}

exports.version = 0;
exports.setLevel = () => {};
exports.setFlushOn = () => {};
exports.Logger = Logger;
exports.createRotatingLogger = (name, file) => createLogger('rotating', name, file);
exports.createAsyncRotatingLogger = (name, file) => createLogger('rotating_async', name, file);
