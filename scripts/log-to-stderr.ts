// Imported first of all: some libraries take hold of console.log when they load, and stdout belongs
// to what a command prints.
import { Console } from 'node:console'

globalThis.console = new Console(process.stderr)
