import { setTimeout as sleep } from 'node:timers/promises'
import { createClient, telemetry } from '@busbar/contract'
import { createMachine, createUser, type TestUser } from '@busbar/testkit'
import type { FaultyLine, LineState } from '@busbar/testkit/faulty-line.ts'
import { untilTrue } from '@busbar/testkit/until.ts'
import { NodeGroup } from '../processes/node-group.ts'
import { compareKept } from '../telemetry/compare-kept.ts'
import { addRules, listAlarmFaults } from './alarmed-load.ts'
import { describeFaults, type EdgeName, faultRoles, type NodeFault, type NodeName } from './draw-faults.ts'
import { RoamingMachine } from './roaming-machine.ts'
import { TestedVisit } from './tested-visit.ts'

const machinesCount = 4
/** No fault lasts as long: an alarm of silence is in vain. */
const silenceS = 120
/** After the end of the faults, on a machine that has time (testkit: calm). */
const recoverMsMax = 10_000
const settleMsMax = 40_000
const edges: readonly EdgeName[] = ['left', 'right']

/** How a run went; times in milliseconds. */
export interface FaultResult {
  readonly what: string
  readonly violations: readonly string[]
  /** From the end of the faults until each machine had a new message acknowledged, and the page answered. */
  readonly recovery: { readonly acknowledged: number | undefined; readonly visit: number | undefined }
  readonly acknowledged: number
  readonly tookMs: number
}

/** Four processes with NATS and PostgreSQL, whose processes and lines are broken in runs one after the other. */
export class FaultRig {
  readonly nodes: NodeGroup<NodeName>
  readonly #owner: TestUser

  private constructor(nodes: NodeGroup<NodeName>, owner: TestUser) {
    this.nodes = nodes
    this.#owner = owner
  }

  /** `preloads`: modules of a weakened build. */
  static async start(preloads: readonly string[] = []): Promise<FaultRig> {
    const nodes = await NodeGroup.start(faultRoles, preloads)
    return new FaultRig(nodes, await createUser(nodes.database.db))
  }

  stop(): Promise<void> {
    return this.nodes.stop()
  }

  /** Load, faults, recovery, and the checks of all that this load did, which take `settleMs` at most. */
  async run(faults: readonly NodeFault[], settleMs = settleMsMax): Promise<FaultResult> {
    const begunAt = performance.now()
    const machines = await this.#startMachines()
    const visit = await this.#startVisit()
    const violations: string[] = []
    try {
      const within = async (what: string, msMax: number, check: () => Promise<boolean> | boolean) => {
        // A process that ended by itself is the fault that a run looks for: the rest of it need not come right.
        const ms = await untilTrue(() => this.nodes.ended.length > 0 || check(), msMax)
        if (ms === undefined) violations.push(`${what} within ${msMax / 1_000} s`)
        return ms
      }
      const isFresh = () => {
        const marks = machines.map(({ client }) => client.next)
        return () => machines.every((machine, place) => machine.hasNewer(marks[place] ?? 0))
      }
      await within('no acknowledgement before the faults', settleMsMax, isFresh())
      await within('no visit before the faults', settleMsMax, () => visit.answers())

      await this.#inject(faults)
      const [acknowledged, visited] = await Promise.all([
        within('no new acknowledgement after the faults', recoverMsMax, isFresh()),
        within('no visit after the faults', recoverMsMax, () => visit.answers()),
      ])
      violations.push(...(await this.#check(machines, settleMs)))
      return {
        what: describeFaults(faults),
        violations: [...violations, ...this.nodes.ended.splice(0)],
        recovery: { acknowledged, visit: visited },
        acknowledged: machines.reduce((sum, { client }) => sum + client.acknowledged.size, 0),
        tookMs: Math.round(performance.now() - begunAt),
      }
    } finally {
      for (const machine of machines) machine.end()
      visit.end()
    }
  }

  async #startMachines(): Promise<RoamingMachine[]> {
    const { db } = this.nodes.database
    const ports = edges.map((name) => this.nodes.portsOf(name).mqttPort)
    const machines: RoamingMachine[] = []
    for (let place = 0; place < machinesCount; place++) {
      const machine = await createMachine(db, { owner: this.#owner.userId })
      await addRules(db, machine, silenceS)
      machines.push(new RoamingMachine(machine, ports, place))
    }
    return machines
  }

  async #startVisit(): Promise<TestedVisit> {
    const machine = await createMachine(this.nodes.database.db, { owner: this.#owner.userId })
    return new TestedVisit(machine, this.#owner, {
      urls: edges.map((name) => `http://127.0.0.1:${this.nodes.portsOf(name).webPort}`),
      site: this.nodes.portsOf('rest'),
    })
  }

  /** Resolves when all faults are over, and all processes are ready. */
  async #inject(faults: readonly NodeFault[]): Promise<void> {
    await Promise.all(
      faults.map(async (fault) => {
        await sleep(fault.atMs)
        const mend = await this.#break(fault)
        await sleep(fault.forMs)
        await mend()
      }),
    )
    // One that ended by itself is a violation; the runs after this one have four processes all the same.
    for (const name of this.nodes.names) if (!this.nodes.isRunning(name)) await this.nodes.begin(name)
  }

  async #break(fault: NodeFault): Promise<() => unknown> {
    const { nodes } = this
    switch (fault.kind) {
      case 'kill':
        if (!nodes.isRunning(fault.node)) return () => undefined
        await nodes.kill(fault.node)
        return () => nodes.begin(fault.node)
      case 'freeze':
        return nodes.isRunning(fault.node) ? nodes.freeze(fault.node) : () => undefined
      case 'natsGone':
        await nodes.nats.stop()
        return () => nodes.nats.start()
      case 'databaseGone':
        return this.#breakLines(
          nodes.names.map((name) => nodes.linesOf(name).database),
          'cut',
        )
      case 'line':
        return this.#breakLines([nodes.linesOf(fault.node)[fault.line]], fault.way)
    }
  }

  #breakLines(lines: readonly FaultyLine[], way: LineState): () => void {
    for (const line of lines) line.state = way
    return () => {
      for (const line of lines) line.state = 'fine'
    }
  }

  /** The rules that are broken after the load has ended. */
  async #check(machines: readonly RoamingMachine[], settleMs: number): Promise<string[]> {
    const { db } = this.nodes.database
    const drained = Promise.all(machines.map(({ client }) => client.drain())).then(() => true)
    const isDrained = await Promise.race([drained, sleep(settleMs, false)])
    const open = machines.map(({ client }) => client.next - client.acknowledged.size)
    const violations = isDrained ? [] : [`numbers without an acknowledgement: ${open}`]
    const { missing, elsewhere } = await compareKept(db, machines)
    if (missing > 0) violations.push(`${missing} acknowledged numbers are not stored`)
    if (elsewhere > 0) violations.push(`${elsewhere} numbers are stored at another time as well`)

    let faults: string[] = []
    const isAsItShould = async () => {
      faults = [...(await this.#listOlder(machines)), ...(await listAlarmFaults(db, machines))]
      return faults.length === 0
    }
    const isRight = await untilTrue(isAsItShould, settleMs)
    return isRight === undefined ? [...violations, ...faults] : violations
  }

  /** The machines whose newest value, as people read it, is not the newest that was acknowledged. */
  async #listOlder(machines: readonly RoamingMachine[]): Promise<string[]> {
    const { token } = this.#owner
    const baseUrl = this.nodes.at('people').url
    const client = createClient({ baseUrl, lang: () => 'en', token: () => token })
    const older: string[] = []
    for (const { machineId, newest } of machines) {
      const [tags, values] = await Promise.all([
        client.call(telemetry.listTags, { machineId }),
        client.call(telemetry.listLatest, { machineId }),
      ])
      const tagIds = new Map(tags.map(({ tag, tagId }) => [tag, tagId]))
      const shown = new Map(values.map(({ tagId, value }) => [tagId, value]))
      for (const [tag, value] of newest) {
        const said = shown.get(tagIds.get(tag) ?? 0)
        if (said !== value)
          older.push(`the newest value of ${tag} of ${machineId} is ${said} instead of ${value}`)
      }
    }
    return older
  }
}
