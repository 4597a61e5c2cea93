import { randomUUID } from 'node:crypto'
import { setTimeout as sleep } from 'node:timers/promises'
import { Api } from './api.ts'
import { Refusal } from './failure-text.ts'
import type { Lang } from './model.ts'
import type { Output, Surroundings } from './output.ts'
import { formatQr } from './qr-text.ts'
import { readSession, type Session, SessionFileError, writeSession } from './session-file.ts'
import type { Texts } from './texts/index.ts'

const terminalNameMax = 64

/** Signs in by a code that the person confirms in a browser. */
export async function login(
  around: Surroundings,
  out: Output,
  options: { readonly server: string | undefined; readonly lang: Lang; readonly t: Texts },
): Promise<void> {
  const { lang, t } = options
  const before = await readSession(around).catch((error: unknown) => {
    // A file that may not be used is replaced.
    if (error instanceof SessionFileError) return undefined
    throw error
  })
  const server = options.server === undefined ? before?.server : parseServer(options.server, t)
  if (server === undefined) throw new Refusal('needServer', t.needServer)
  if (new URL(server).protocol === 'http:' && !isThisComputer(server)) around.writeError(`${t.plainHttp}\n`)
  const more = around.fetch ? { fetch: around.fetch } : {}
  const api = new Api({ server, lang, ...more })
  const terminal = before?.server === server ? before.terminal : randomUUID()
  const name = `busbar-connect ${around.hostName}`.slice(0, terminalNameMax)
  const code = await api.createDeviceCode({ name, id: terminal })
  const url = new URL(code.verifyUrl)
  url.searchParams.set('code', code.userCode)
  out.raw(`${formatQr(url.href)}\n`)
  out.note(t.signInAt(code.verifyUrl))
  out.say(t.signInCode(code.userCode), {
    event: 'signIn',
    url: url.href,
    code: code.userCode,
    expireInS: code.expireInS,
  })
  const token = await untilConfirmed(api, code, around.stopped, t)
  await writeSession(around, { server, token, terminal })
  const { name: person, account } = await new Api({ server, lang, token, ...more }).whoAmI()
  out.say(t.signedIn(person || account, server), { event: 'signedIn', server, name: person, account })
}

async function untilConfirmed(
  api: Api,
  code: { readonly deviceCode: string; readonly intervalS: number },
  stopped: AbortSignal,
  t: Texts,
): Promise<string> {
  for (;;) {
    await sleep(code.intervalS * 1_000, undefined, { signal: stopped })
    const answer = await api.redeemDeviceCode(code.deviceCode)
    if ('token' in answer) return answer.token
    if (answer.state === 'refused') throw new Refusal('refused', t.signInRefused)
    if (answer.state === 'expired') throw new Refusal('expired', t.signInExpired)
  }
}

/** The origin of a platform. @throws Refusal */
function parseServer(text: string, t: Texts): string {
  const whole = text.includes('://') ? text : `https://${text}`
  // Node 20 has no URL.parse.
  const url = URL.canParse(whole) ? new URL(whole) : undefined
  if (!url || !['http:', 'https:'].includes(url.protocol) || url.username || url.password)
    throw new Refusal('wrongServer', t.wrongServer(text))
  return url.origin
}

const isThisComputer = (server: string): boolean =>
  /^(?:localhost|.*\.localhost|127(?:\.\d+){3}|\[::1\])$/.test(new URL(server).hostname)

/** The session of the person. @throws Refusal where they are not signed in; SessionFileError */
export async function requireSession(around: Surroundings, t: Texts): Promise<Session> {
  const session = await readSession(around)
  if (!session) throw new Refusal('notSignedIn', t.notSignedIn)
  return session
}
