// Must be imported first: some libraries capture console.log when they load, and stdout is reserved
// for the output of the script.
import { Console } from 'node:console'

globalThis.console = new Console(process.stderr)
