import { connect } from 'node:net'
import type { AgentScan, AgentScanRefusal, AgentScanState, ScanKind } from '@busbar/link'
import { agentServiceLimits } from '@busbar/link'
import type { Clock } from '../clock.ts'
import { addressesOf, formatAddress, type Networks } from '../remote/networks.ts'
import type { RemotePorts } from '../remote/ports.ts'
import { type Hello, hellos } from './hellos.ts'

const { scanAtOnceMax, scanFoundMax, scanHostsMax, scanPerSecondMax, scanPortsMax } = agentServiceLimits
const answerMs = 1_000
/** After the first words of a controller that may tell its name as well. */
const nameMs = 300
const answerBytesMax = 4_096

export interface ScannerParts {
  readonly networks: Networks
  readonly ports: RemotePorts
  readonly clock: Clock
}

interface Try {
  readonly address: string
  readonly port: number
  readonly hello: Hello
}

/** Finds controllers in the networks that the agent's file allows, one search at a time. */
export class Scanner {
  readonly #parts: ScannerParts
  #state: AgentScanState = { state: 'none', network: null, done: 0, total: 0, found: [] }
  #isStopped = false

  constructor(parts: ScannerParts) {
    this.#parts = parts
  }

  get state(): AgentScanState {
    return this.#state
  }

  /** Begins a search, or answers why not; null while another one runs. */
  begin({ network, kinds }: AgentScan): AgentScanState | AgentScanRefusal | null {
    if (this.#state.state === 'running') return null
    const { networks } = this.#parts
    const addresses = addressesOf(network)
    if (addresses === null)
      return { refusal: 'notANetwork', message: `"${network}" is not an IPv4 network such as 192.168.0.0/24` }
    if (!networks.contain(network))
      return {
        refusal: 'networkNotAllowed',
        message: `${network} is outside the networks that the agent's file allows: ${networks.text}`,
      }
    if (addresses.count > scanHostsMax)
      return {
        refusal: 'tooManyHosts',
        message: `${network} has ${addresses.count} addresses; a search takes at most ${scanHostsMax}`,
      }
    const tries = this.#listTries(addresses, kinds)
    this.#state = { state: 'running', network, done: 0, total: tries.length, found: [] }
    void this.#search(tries)
    return this.#state
  }

  stop(): void {
    this.#isStopped = true
  }

  #listTries(
    { first, count }: { first: number; count: number },
    kinds: readonly ScanKind[] | undefined,
  ): Try[] {
    const wanted = hellos.filter(({ kind }) => kinds?.includes(kind) ?? true)
    const places = wanted.flatMap((hello) =>
      this.#parts.ports.list(hello.kind, scanPortsMax).map((port) => ({ hello, port })),
    )
    return Array.from({ length: count }, (_, index) => formatAddress(first + index)).flatMap((address) =>
      places.map((place) => ({ ...place, address })),
    )
  }

  async #search(tries: readonly Try[]): Promise<void> {
    const { clock } = this.#parts
    const running = new Set<Promise<void>>()
    for (const one of tries) {
      if (this.#isStopped) return
      if (running.size >= scanAtOnceMax) await Promise.race(running)
      const trying = tryOne(one, clock).then((known) => {
        running.delete(trying)
        this.#note(one, known)
      })
      running.add(trying)
      await new Promise<void>((resolve) => void clock.after(1_000 / scanPerSecondMax, resolve))
    }
    await Promise.all(running)
    this.#state = { ...this.#state, state: 'done' }
  }

  #note({ address, port, hello: { kind } }: Try, known: { readonly name?: string } | null): void {
    const { done, found } = this.#state
    const isFound = known !== null && found.length < scanFoundMax
    this.#state = {
      ...this.#state,
      done: done + 1,
      found: isFound ? [...found, { address, port, kind, ...known }] : found,
    }
  }
}

/** Says hello; null if no controller of the kind answers. */
function tryOne({ address, port, hello }: Try, clock: Clock): Promise<{ readonly name?: string } | null> {
  return new Promise((resolve) => {
    const socket = connect({ host: address, port })
    let known: { readonly name?: string } | null = null
    let answer: Buffer = Buffer.alloc(0)
    let cancel = clock.after(answerMs, () => socket.destroy())
    socket.once('connect', () => {
      cancel()
      cancel = clock.after(answerMs, () => socket.destroy())
      socket.write(hello.request)
    })
    socket.on('data', (bytes: Buffer) => {
      answer = Buffer.concat([answer, bytes])
      const recognized = hello.recognize(answer)
      if (recognized) {
        if (known === null && hello.tellsName) {
          cancel()
          cancel = clock.after(nameMs, () => socket.destroy())
        }
        known = recognized
      }
      if (
        recognized === false ||
        recognized?.name ||
        (known && !hello.tellsName) ||
        answer.length > answerBytesMax
      )
        socket.destroy()
    })
    socket.on('error', () => undefined)
    socket.on('close', () => {
      cancel()
      resolve(known)
    })
  })
}
