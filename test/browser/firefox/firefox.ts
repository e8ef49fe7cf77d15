import { spawn } from 'node:child_process'
import { mkdtemp, rm, writeFile } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { createInterface } from 'node:readline'

/** A tab of Firefox. */
export interface Tab {
  /** Runs a script in each later document of the tab, before its own. */
  useScript(script: () => void): Promise<void>
  open(url: string): Promise<void>
  /** Runs a function in the page and resolves to its result, which has a JSON form. */
  evaluate<T>(run: () => T): Promise<T>
  close(): Promise<void>
}

/** The browser of `FIREFOX_PATH`, without a window. */
export interface Firefox {
  version: string
  newTab(): Promise<Tab>
  close(): Promise<void>
}

/** Lets videos play without a click, as Chromium's headless build does. */
const PREFERENCES = `user_pref('media.autoplay.default', 0);
user_pref('media.eme.enabled', true);
user_pref('datareporting.policy.dataSubmissionEnabled', false);
user_pref('app.update.enabled', false);
`

/** Starts the browser with a profile of its own. Throws if it does not listen. */
export async function launchFirefox(path: string): Promise<Firefox> {
  const profile = await mkdtemp(join(tmpdir(), 'reelgate-firefox-'))
  await writeFile(join(profile, 'user.js'), PREFERENCES)
  const args = ['--headless', '--no-remote', '--remote-debugging-port=0', '--profile', profile]
  const browser = spawn(path, args, { stdio: ['ignore', 'ignore', 'pipe'] })
  const ended = new Promise((resolve) => browser.once('exit', resolve))
  const close = async (): Promise<void> => {
    browser.kill('SIGKILL')
    await ended
    await rm(profile, { recursive: true, force: true })
  }
  try {
    const send = await connect(`${await listeningAt(browser.stderr)}/session`)
    const session = await send('session.new', { capabilities: {} })
    const { browserVersion } = session['capabilities'] as { browserVersion: string }
    return { version: browserVersion, newTab: () => openTab(send), close }
  } catch (error) {
    await close()
    throw error
  }
}

/** A message of the server. Events have no id. */
interface Reply {
  id?: number
  error?: string
  message?: string
  result?: Record<string, unknown>
}

type Send = (method: string, params: object) => Promise<Record<string, unknown>>

async function listeningAt(output: NodeJS.ReadableStream): Promise<string> {
  for await (const line of createInterface({ input: output })) {
    const found = /WebDriver BiDi listening on (ws:\S+)/.exec(line)
    if (!found?.[1]) continue
    // Its later lines are of no use, but have to be read.
    output.resume()
    return found[1]
  }
  throw new Error('Firefox has ended without listening')
}

/** Connects to a server of WebDriver BiDi. Commands reject with its error. */
async function connect(url: string): Promise<Send> {
  const socket = new WebSocket(url)
  const waiting = new Map<number, PromiseWithResolvers<Record<string, unknown>>>()
  socket.addEventListener('message', ({ data }) => {
    const { id, error, message, result } = JSON.parse(String(data)) as Reply
    const command = waiting.get(Number(id))
    waiting.delete(Number(id))
    if (error === undefined) command?.resolve(result ?? {})
    else command?.reject(new Error(`${error}: ${message}`))
  })
  await new Promise<void>((resolve, reject) => {
    socket.addEventListener('open', () => resolve())
    socket.addEventListener('error', () => reject(new Error(`no connection to ${url}`)))
  })
  let last = 0
  return (method, params) => {
    const command = Promise.withResolvers<Record<string, unknown>>()
    last += 1
    waiting.set(last, command)
    socket.send(JSON.stringify({ id: last, method, params }))
    return command.promise
  }
}

async function openTab(send: Send): Promise<Tab> {
  const { context } = await send('browsingContext.create', { type: 'tab' })
  return {
    useScript: async (script) => {
      const contexts = [context]
      await send('script.addPreloadScript', { functionDeclaration: String(script), contexts })
    },
    open: async (url) => {
      await send('browsingContext.navigate', { context, url, wait: 'interactive' })
    },
    evaluate: async <T>(run: () => T): Promise<T> => {
      const { result, exceptionDetails } = (await send('script.callFunction', {
        functionDeclaration: `async () => JSON.stringify(await (${String(run)})() ?? null)`,
        target: { context },
        awaitPromise: true,
        userActivation: true,
      })) as { result?: { value?: string }; exceptionDetails?: { text: string } }
      if (exceptionDetails) throw new Error(exceptionDetails.text)
      return JSON.parse(result?.value ?? 'null') as T
    },
    close: async () => {
      await send('browsingContext.close', { context })
    },
  }
}
