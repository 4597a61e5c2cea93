import { spawn } from 'node:child_process'
import { once } from 'node:events'
import { mkdtemp, rm, writeFile } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { createInterface } from 'node:readline'
import WebSocket from 'ws'

const startMsMax = 60_000

/** A document in a tab, or in a frame of one. */
export interface Context {
  readonly context: string
  readonly url: string
  readonly children: readonly Context[]
}

interface Answer {
  readonly id?: number
  readonly error?: string
  readonly message?: string
  readonly result?: unknown
}

/** Debian's Firefox over WebDriver BiDi (w3c.github.io/webdriver-bidi), with a profile of its own. */
export class Firefox {
  readonly #socket: WebSocket
  readonly #end: () => Promise<void>
  readonly #waiting = new Map<number, { resolve(result: unknown): void; reject(error: Error): void }>()
  #sent = 0

  private constructor(socket: WebSocket, end: () => Promise<void>) {
    this.#socket = socket
    this.#end = end
    socket.on('message', (text) => {
      const { id = 0, error, message, result } = JSON.parse(String(text)) as Answer
      const asked = this.#waiting.get(id)
      this.#waiting.delete(id)
      if (error) asked?.reject(new Error(`${error}: ${message}`))
      else asked?.resolve(result)
    })
  }

  /** Starts it. `localNames`: hosts that are on this computer. It accepts certificates of every authority. */
  static async launch(program: string, localNames: readonly string[]): Promise<Firefox> {
    const profile = await mkdtemp(join(tmpdir(), 'busbar-firefox-'))
    const preferences = {
      'network.dns.localDomains': localNames.join(','),
      'network.dns.disableIPv6': true,
      'app.update.disabledForTesting': true,
      'datareporting.policy.dataSubmissionEnabled': false,
      'network.captive-portal-service.enabled': false,
      'network.connectivity-service.enabled': false,
      'services.settings.server': 'data:,',
    }
    const lines = Object.entries(preferences).map(
      ([name, value]) => `user_pref(${JSON.stringify(name)}, ${JSON.stringify(value)});\n`,
    )
    await writeFile(join(profile, 'user.js'), lines.join(''))
    const child = spawn(
      program,
      ['--headless', '--no-remote', '--profile', profile, '--remote-debugging-port', '0'],
      {
        stdio: ['ignore', 'ignore', 'pipe'],
        env: { ...process.env, HOME: profile, MOZ_DISABLE_CONTENT_SANDBOX: '1' },
      },
    )
    const gone = once(child, 'exit')
    const end = async () => {
      child.kill('SIGKILL')
      await gone
      await rm(profile, { recursive: true, force: true, maxRetries: 5, retryDelay: 100 })
    }
    try {
      const address = await findAddress(child.stderr, gone)
      const socket = new WebSocket(`${address}/session`)
      await once(socket, 'open')
      const firefox = new Firefox(socket, end)
      await firefox.#ask('session.new', { capabilities: { alwaysMatch: { acceptInsecureCerts: true } } })
      return firefox
    } catch (error) {
      await end()
      throw error
    }
  }

  /** The first tab, with its frames. */
  async tab(): Promise<Context> {
    const { contexts } = (await this.#ask('browsingContext.getTree', {})) as { contexts: Context[] }
    const [tab] = contexts
    if (!tab) throw new Error('Firefox has no tab.')
    return tab
  }

  /** Opens an address in the first tab; resolves when its page and its frames are loaded. */
  async open(url: string): Promise<void> {
    const { context } = await this.tab()
    await this.#ask('browsingContext.navigate', { context, url, wait: 'complete' })
  }

  /** The value of an expression in a document; only texts, numbers and booleans. */
  async evaluate({ context }: Context, expression: string): Promise<unknown> {
    const answer = (await this.#ask('script.evaluate', {
      expression,
      target: { context },
      awaitPromise: true,
    })) as { type: string; result?: { value?: unknown }; exceptionDetails?: { text: string } }
    if (answer.type !== 'success') throw new Error(answer.exceptionDetails?.text ?? answer.type)
    return answer.result?.value
  }

  close(): Promise<void> {
    this.#socket.terminate()
    return this.#end()
  }

  #ask(method: string, params: object): Promise<unknown> {
    const id = ++this.#sent
    return new Promise((resolve, reject) => {
      this.#waiting.set(id, { resolve, reject })
      this.#socket.send(JSON.stringify({ id, method, params }))
    })
  }
}

/** The address that it listens on, from what it says. */
async function findAddress(stderr: NodeJS.ReadableStream, gone: Promise<unknown>): Promise<string> {
  const said: string[] = []
  const found = Promise.withResolvers<string>()
  createInterface({ input: stderr }).on('line', (line) => {
    said.push(line)
    const address = /WebDriver BiDi listening on (ws:\S+)/.exec(line)?.[1]
    if (address) found.resolve(address)
  })
  const fail = (why: string) => () => found.reject(new Error(`Firefox ${why}: ${said.join('\n')}`))
  const timer = setTimeout(fail('did not start in time'), startMsMax)
  void gone.then(fail('ended'))
  return found.promise.finally(() => clearTimeout(timer))
}
