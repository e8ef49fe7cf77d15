import { open, readFile, realpath, rename, rm, stat } from 'node:fs/promises'
import { dirname } from 'node:path'
import { readSystemError } from '../processes/system-error.ts'
import { formatMasterKeys, parseMasterKeys, type MasterKeys } from '../security/sealing/sealing.ts'
import { describeDiskError } from './disk-errors.ts'
import { CliError } from './errors.ts'

/** The file that holds MASTER_KEY: its text alone, or among other variables as in `.env`. */
export interface MasterKeyFile {
  path: string
  masterKeys: MasterKeys
  /** Replaces the keys in one step. Mode and owner of the file stay. */
  write(masterKeys: MasterKeys): Promise<void>
  /** The file beside it for keys that only backups need. */
  formerPath: string
  /** Appends a key to that file. */
  keepFormer(masterKeys: MasterKeys): Promise<void>
}

/** Reads the file. Throws a CliError if it cannot be read, and a SealingError if it holds no valid keys; neither contains a key. */
export async function openMasterKeyFile(name: string): Promise<MasterKeyFile> {
  const { path, text } = await describeErrors(name, async () => {
    const path = await realpath(name)
    return { path, text: await readFile(path, 'utf8') }
  })
  const { before, keys, after } = splitText(text)
  const formerPath = `${name}.former`
  return {
    path: name,
    masterKeys: parseMasterKeys(keys),
    write: (next) =>
      describeErrors(name, () => replaceFile(path, `${before}${formatMasterKeys(next)}${after}`)),
    formerPath,
    keepFormer: (former) =>
      describeErrors(formerPath, () => appendTo(formerPath, `${formatMasterKeys(former)}\n`)),
  }
}

const VARIABLE = /^((?:export +)?MASTER_KEY=(["']?))([^"'\r\n]*)\2[ \t]*\r?$/gm

/** Splits a text into the keys and what surrounds them. The last of several variables counts, as in `.env`. */
function splitText(text: string): { before: string; keys: string; after: string } {
  const found = [...text.matchAll(VARIABLE)].at(-1)
  if (!found) return { before: '', keys: text.trim(), after: '\n' }
  const [, prefix = '', , keys = ''] = found
  const start = found.index + prefix.length
  return { before: text.slice(0, start), keys, after: text.slice(start + keys.length) }
}

/** Writes a new file beside the old one and renames it, so that a reader, or a power cut, finds one of both. */
async function replaceFile(path: string, text: string): Promise<void> {
  const { mode, uid, gid } = await stat(path)
  const temporary = `${path}.${crypto.randomUUID()}.new`
  try {
    const file = await open(temporary, 'wx', 0o600)
    try {
      await file.writeFile(text)
      const own = await file.stat()
      if (own.uid !== uid || own.gid !== gid) await file.chown(uid, gid)
      await file.chmod(mode & 0o7777)
      await file.sync()
    } finally {
      await file.close()
    }
    await rename(temporary, path)
  } finally {
    await rm(temporary, { force: true })
  }
  await flush(dirname(path))
}

async function appendTo(path: string, text: string): Promise<void> {
  const file = await open(path, 'a', 0o600)
  try {
    await file.appendFile(text)
    await file.sync()
  } finally {
    await file.close()
  }
  await flush(dirname(path))
}

async function flush(folder: string): Promise<void> {
  const handle = await open(folder, 'r')
  try {
    await handle.sync()
  } finally {
    await handle.close()
  }
}

async function describeErrors<T>(path: string, work: () => Promise<T>): Promise<T> {
  try {
    return await work()
  } catch (error) {
    const { code, message } = readSystemError(error)
    // A container may write the folder of the file, not the file alone that is mounted into it.
    const why = code === 'EBUSY' ? `it is mounted alone: ${message}` : describeDiskError(error)
    throw new CliError(`${path} is unchanged: ${why ?? (message || String(error))}.`, {
      code: 'master_key_file_unusable',
      param: '--file',
    })
  }
}
