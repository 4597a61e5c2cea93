import { setImmediate, setTimeout as sleep } from 'node:timers/promises'
import { tunnelClose, tunnelLimits } from '@busbar/link'
import { every } from '../../kernel/every.ts'
import { parseBasic } from '../../kernel/http/basic.ts'
import type { Logger } from '../../kernel/logger.ts'
import { ownerReason } from '../../kernel/rights/right-changes.ts'
import type { RightChange, RightsWatch } from '../../kernel/rights/rights-watch.ts'
import { spread } from '../../kernel/spread.ts'
import type { LoginGuard } from '../login/login-guard.ts'
import { MachineTunnel, type TunnelMachine } from './machine-tunnel.ts'
import type { Tunnel, Tunnels } from './tunnel.ts'
import type { TunnelAdmission } from './tunnel-admission.ts'
import { BytesCarrier, type TunnelCarrier, WebSocketCarrier } from './tunnel-carrier.ts'

/** Limit of one process; an idle one costs some 35 kB. */
const tunnelsMax = 10_000
const answerMsDefault = 5_000
/** How often a tunnel that is to be ended is looked at. */
const idlePollMs = 50

export interface TunnelRegistryOptions {
  readonly logins: Pick<LoginGuard, 'check'>
  readonly rights: Pick<RightsWatch, 'subscribe'>
  readonly logger: Logger
  readonly now: () => number
  /** Interval of the pings; a dead tunnel is found after two. */
  readonly pingIntervalMs?: number
  /** Time limit of an agent to send its settings and its offer, in ms. */
  readonly answerMs?: number
}

/** Holds the tunnels that end in this process. */
export class TunnelRegistry implements Tunnels {
  readonly #options: TunnelRegistryOptions
  readonly #byMachine = new Map<number, MachineTunnel>()
  /** Every tunnel with a socket, also while it opens or after it was replaced. */
  readonly #all = new Set<MachineTunnel>()
  /** Logins under way, each with the machines whose secret was reset meanwhile. */
  readonly #logins = new Set<Set<number>>()
  readonly #listeners = new Set<(machineId: number, tunnel: Tunnel | undefined) => void>()
  /** Bytes of the tunnels that are gone. */
  readonly #carried = { sentBytes: 0, receivedBytes: 0 }
  #cuts = 0
  #sweep: NodeJS.Timeout | undefined
  #endRights: (() => void) | undefined
  #isOpen = false

  constructor(options: TunnelRegistryOptions) {
    this.#options = options
  }

  start(): void {
    const { rights, pingIntervalMs = tunnelLimits.pingIntervalMs } = this.#options
    this.#isOpen = true
    // Input that arrived while this process was busy is read first, so that its own pauses end no tunnel.
    const sweep = async () => {
      await setImmediate()
      this.#sweepDead()
    }
    this.#sweep = every(pingIntervalMs, sweep, this.#options.logger)
    this.#endRights = rights.subscribe({
      changed: (change) => this.#changed(change),
      // No person's right depends on a tunnel: visits cut their own streams.
      blind: () => undefined,
    })
  }

  /**
   * Takes no more tunnels, and ends those that are here, spread over `ms`, so that agents open them at another node: each
   * when nothing is open in it any more, or at the end of that time.
   */
  async leave(ms: number): Promise<void> {
    this.#isOpen = false
    const until = performance.now() + ms
    await spread([...this.#all], ms, async (tunnel) => {
      while (tunnel.streamCount > 0 && performance.now() < until - idlePollMs) await sleep(idlePollMs)
      tunnel.close(1001, 'the platform goes on at another node')
    })
  }

  stop(): void {
    this.#isOpen = false
    clearInterval(this.#sweep)
    this.#endRights?.()
    for (const tunnel of [...this.#all]) tunnel.close(1001, 'the platform is stopping')
  }

  /** Checks a machine's code and secret, Basic as for its telemetry and throttled together with it. */
  async admit(authorization: string | undefined, address: string): Promise<TunnelAdmission> {
    if (!this.#isOpen || this.#all.size >= tunnelsMax) return { refused: '503 Service Unavailable' }
    const basic = parseBasic(authorization)
    if (!basic) return { refused: '401 Unauthorized' }
    const resets = new Set<number>()
    this.#logins.add(resets)
    try {
      const login = await this.#options.logins.check({ code: basic.name, secret: basic.secret, address })
      if ('retryIn' in login) return { refused: '429 Too Many Requests' }
      // The secret was valid before the check and was changed meanwhile.
      if ('wrong' in login || resets.has(login.machineId)) return { refused: '401 Unauthorized' }
      return {
        accept: (ws) => this.#accept(new WebSocketCarrier(ws), login),
        acceptBytes: (socket) => this.#accept(new BytesCarrier(socket), login),
      }
    } catch (error) {
      this.#options.logger.warn({ err: error }, 'tunnel.admitFailed')
      return { refused: '503 Service Unavailable' }
    } finally {
      this.#logins.delete(resets)
    }
  }

  find(machineId: number): Tunnel | undefined {
    return this.#byMachine.get(machineId)
  }

  cut(machineId: number, reason: string): void {
    for (const tunnel of [...this.#all]) {
      if (tunnel.machineId !== machineId) continue
      this.#options.logger.info({ machineId, reason }, 'tunnel.cut')
      this.#cuts++
      tunnel.close(tunnelClose.cut, reason)
    }
  }

  onChange(listener: (machineId: number, tunnel: Tunnel | undefined) => void): () => void {
    this.#listeners.add(listener)
    return () => this.#listeners.delete(listener)
  }

  /** Open now, and carried and cut since the start. */
  stats() {
    let streams = 0
    let bareTunnels = 0
    let { sentBytes, receivedBytes } = this.#carried
    for (const { streamCount, carrier } of this.#all) {
      streams += streamCount
      sentBytes += carrier.sentBytes
      receivedBytes += carrier.receivedBytes
      if (carrier.way === 'bytes') bareTunnels++
    }
    const tunnels = this.#byMachine.size
    return { tunnels, bareTunnels, streams, cuts: this.#cuts, sentBytes, receivedBytes }
  }

  #accept(carrier: TunnelCarrier, machine: TunnelMachine): void {
    const { logger, now, answerMs = answerMsDefault } = this.#options
    const { machineId } = machine
    if (!this.#isOpen || this.#all.size >= tunnelsMax) {
      // Others came while this one was being let in.
      carrier.bytes.destroy()
      return
    }
    const tunnel: MachineTunnel = new MachineTunnel(
      carrier,
      machine,
      {
        ready: () => this.#opened(tunnel),
        gone: (error) => {
          this.#all.delete(tunnel)
          this.#carried.sentBytes += carrier.sentBytes
          this.#carried.receivedBytes += carrier.receivedBytes
          // An agent's data must not get into the log; the error's own words are Node's and ours.
          logger.debug({ machineId, reason: error?.message ?? 'closed' }, 'tunnel.closed')
          if (this.#byMachine.get(machineId) !== tunnel) return
          this.#byMachine.delete(machineId)
          this.#tell(machineId, undefined)
        },
      },
      { openedAt: now(), answerMs },
    )
    this.#all.add(tunnel)
  }

  #opened(tunnel: MachineTunnel): void {
    const { machineId } = tunnel
    const before = this.#byMachine.get(machineId)
    this.#byMachine.set(machineId, tunnel)
    this.#options.logger.debug(
      { machineId, way: tunnel.carrier.way, replaced: before !== undefined },
      'tunnel.opened',
    )
    this.#tell(machineId, tunnel)
    before?.close(tunnelClose.replaced, 'another agent signed in with this code')
  }

  #changed(change: RightChange): void {
    if (change.machineId === null) return
    if (change.reason !== 'secretReset' && change.reason !== ownerReason) return
    // With another owner the secret stays good.
    if (change.reason === 'secretReset') for (const resets of this.#logins) resets.add(change.machineId)
    this.cut(change.machineId, change.reason)
  }

  #sweepDead(): void {
    for (const tunnel of [...this.#all]) {
      if (!tunnel.check()) tunnel.close(1001, 'no sign of life')
    }
  }

  #tell(machineId: number, tunnel: Tunnel | undefined): void {
    for (const listener of this.#listeners) {
      try {
        listener(machineId, tunnel)
      } catch (error) {
        this.#options.logger.error({ err: error, machineId }, 'tunnel.followFailed')
      }
    }
  }
}
