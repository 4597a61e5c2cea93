import {
  createHmac,
  createPublicKey,
  diffieHellman,
  generateKeyPairSync,
  hkdfSync,
  type KeyObject,
  timingSafeEqual,
} from 'node:crypto'
import { ReplayWindow } from '../cluster/replay-window.ts'
import { createLogOnce, type LogOnce } from '../log-once.ts'
import type { Logger } from '../logger.ts'
import type { Role } from '../roles.ts'
import type { NodeDirectory } from './node-directory.ts'
import type { NodeName, Peer } from './nodes-store.ts'

/** A permit is used within this time; clocks of nodes may differ by some seconds of it (rules/operations.md: nodes). */
const permitMsMax = 5_000
const keyBytes = 32
const form =
  /^(?<id>[\w.-]{1,64}) (?<incarnation>[\w-]{36}) (?<number>\d{1,15}) (?<at>\d{1,15}) (?<code>[\w-]{43})$/

/** The pair of keys of one process, drawn at its start; its public half is in the row of the node. */
export interface NodeKeys {
  readonly publicKey: string
  readonly privateKey: KeyObject
}

export function createNodeKeys(): NodeKeys {
  const { publicKey, privateKey } = generateKeyPairSync('x25519')
  return { publicKey: String(publicKey.export({ format: 'jwk' }).x), privateKey }
}

/** Why a permit does not count. */
export type PermitRefusal = 'form' | 'unknown' | 'role' | 'forged' | 'old' | 'used'

/** The secrets that this process shares with another one. */
interface Pair {
  readonly giving: Uint8Array
  readonly taking: Uint8Array
  readonly taken: ReplayWindow
  /** When a permit of this process was last taken. */
  takenAt: number
}

export interface PermitsOptions {
  readonly self: NodeName & { readonly keys: NodeKeys }
  readonly directory: Pick<NodeDirectory, 'find' | 'peek'>
  /** The same for all nodes. */
  readonly key: Uint8Array
  readonly logger: Logger
  now(): number
}

/**
 * Permits for what one node does for another one. The node that checked the right writes it, for one act, one node that
 * does it, once, and five seconds. Its key is that of the two processes (X25519, with the platform's key as salt): no third
 * process can write one for them, and none of them for a third.
 */
export class Permits {
  readonly #options: PermitsOptions
  readonly #log: LogOnce
  readonly #pairs = new Map<string, Pair>()
  /** One count for all, so that a pair that is made again goes on. */
  #given = 0
  readonly #refused = { form: 0, unknown: 0, role: 0, forged: 0, old: 0, used: 0 }

  constructor(options: PermitsOptions) {
    this.#options = options
    this.#log = createLogOnce(options.logger)
  }

  /** Permits that did not count since the start, by reason. */
  get refused(): Readonly<Record<PermitRefusal, number>> {
    return this.#refused
  }

  /** Permits `act` to the node `to`; undefined where no such node lives. */
  async issue(to: string, act: string): Promise<string | undefined> {
    const { self, directory, now } = this.#options
    const peer = await directory.find(to)
    const pair = peer && this.#pairWith(peer)
    if (!pair) return undefined
    const head = `${self.id} ${self.incarnation} ${++this.#given} ${now()}`
    return `${head} ${codeOf(pair.giving, head, act).toString('base64url')}`
  }

  /**
   * Takes a permit for `act` of a node that has the role; it counts once. `by`: the node that has to be the one.
   * Answers why it does not count.
   */
  async take(permit: unknown, act: string, role: Role, by?: string): Promise<PermitRefusal | undefined> {
    const from = typeof permit === 'string' ? form.exec(permit)?.groups?.id : undefined
    const isOthers = by !== undefined && from !== undefined && from !== by
    const refusal = isOthers ? 'unknown' : await this.#judge(permit, act, role)
    if (!refusal) return undefined
    this.#refused[refusal]++
    this.#log.warn({ from, role, reason: refusal }, 'permit.refused', refusal)
    return refusal
  }

  stop(): void {
    this.#log.stop()
  }

  async #judge(permit: unknown, act: string, role: Role): Promise<PermitRefusal | undefined> {
    const { directory, now } = this.#options
    const { id, incarnation, number, at, code } =
      (typeof permit === 'string' && form.exec(permit)?.groups) || {}
    if (!id || !incarnation || !number || !at || !code) return 'form'
    const peer = await directory.find(id, incarnation)
    const pair = peer && this.#pairWith(peer)
    if (!peer || !pair) return 'unknown'
    if (!peer.roles.includes(role)) return 'role'
    const expected = codeOf(pair.taking, `${id} ${incarnation} ${number} ${at}`, act)
    if (!timingSafeEqual(expected, Buffer.from(code, 'base64url'))) return 'forged'
    if (Math.abs(now() - Number(at)) > permitMsMax) return 'old'
    pair.takenAt = now()
    return pair.taken.take(Number(number)) ? undefined : 'used'
  }

  #pairWith(peer: Peer): Pair | undefined {
    const name = `${peer.id} ${peer.incarnation}`
    const known = this.#pairs.get(name)
    if (known || peer.publicKey === null) return known
    this.#forgetEnded()
    const { self, key } = this.#options
    const publicKey = createPublicKey({
      key: { kty: 'OKP', crv: 'X25519', x: peer.publicKey },
      format: 'jwk',
    })
    const shared = diffieHellman({ privateKey: self.keys.privateKey, publicKey })
    const own = `${self.id} ${self.incarnation}`
    const derive = (from: string, to: string) =>
      new Uint8Array(hkdfSync('sha256', shared, key, `${from} permits ${to}`, keyBytes))
    const pair = {
      giving: derive(own, name),
      taking: derive(name, own),
      taken: new ReplayWindow(1),
      takenAt: 0,
    }
    this.#pairs.set(name, pair)
    return pair
  }

  /** Processes that are gone write no permits any more; a permit of one that seems to be gone must not count again. */
  #forgetEnded(): void {
    const { now } = this.#options
    for (const [name, { takenAt }] of this.#pairs) {
      if (now() - takenAt <= 2 * permitMsMax) continue
      const [id = '', incarnation] = name.split(' ')
      const peer = this.#options.directory.peek(id)
      if (peer?.incarnation !== incarnation) this.#pairs.delete(name)
    }
  }
}

const codeOf = (key: Uint8Array, head: string, act: string): Buffer =>
  createHmac('sha256', key).update(`${head}\n${act}`).digest()
