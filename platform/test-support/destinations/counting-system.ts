import { createClient, destinations, projects } from '@busbar/contract'
import type { TestMachine, TestUser } from '@busbar/testkit'
import { type Received, Receiver, type ReceiverAnswer, rowsOf } from '@busbar/testkit/receiver.ts'

/** It takes rows and answers; takes them and drops the answer; takes none and says so; never answers; or is not there. */
export type SystemWay = 'well' | 'losesAnswers' | 'failing' | 'silent' | 'gone'

/** Numbers of one machine, whose rows have one number each. */
interface Numbers {
  readonly got: Set<number>
  last: number
}

interface NumberRow {
  readonly id: string
  readonly machineCode?: string
  readonly gap?: object
  readonly values?: Readonly<Record<string, unknown>>
}

/** Somebody's own system behind a webhook: by its own count it says which numbers it lacks, and what came wrongly. */
export class CountingSystem {
  /** Requests that it had answered with success before, and got again. */
  repeats = 0
  /** Rows that it had before. */
  rowsAgain = 0
  /** Rows that no receiver should see: in another order, with the id of another row, or with a gap. */
  readonly faults: string[] = []
  readonly #receiver = new Receiver()
  readonly #machines = new Map<string, Numbers>()
  readonly #rows = new Map<string, string>()
  readonly #answered = new Set<string>()
  readonly #held: (() => void)[] = []
  readonly #nexts: { readonly way: SystemWay; asked(): void; readonly released: Promise<void> }[] = []
  #way: SystemWay = 'well'
  #port = 0

  private constructor() {
    this.#receiver.answer = (request) => this.#answer(request)
  }

  static async start(port = 0): Promise<CountingSystem> {
    const system = new CountingSystem()
    await system.#receiver.start(port)
    system.#port = system.#receiver.port
    return system
  }

  /** The setting of a platform that lets it send there. */
  get allowedNetworks(): string {
    return `* 127.0.0.1:${this.#port}`
  }

  get url(): string {
    return `http://127.0.0.1:${this.#port}/in`
  }

  /** Makes a project of a person over machines of theirs that sends each value to this system. */
  async subscribe(url: string, owner: Pick<TestUser, 'token'>, machines: readonly TestMachine[]) {
    const client = createClient({ baseUrl: url, lang: () => 'en', token: () => owner.token })
    const { id } = await client.call(projects.createProject, { name: 'MES' })
    await client.call(projects.updateProject, { id, everyS: 0 })
    const target = { id, name: 'MES', type: 'webhook', url: this.url } as const
    await client.call(destinations.createDestination, target)
    const add = ({ machineId }: TestMachine) => client.call(projects.addProjectMachine, { id, machineId })
    for (const machine of machines) await add(machine)
    return { projectId: id, add }
  }

  /** Behaves so from now on. */
  async behave(way: SystemWay): Promise<void> {
    const isUp = this.#way !== 'gone'
    this.#way = way
    // A request that still waits for an answer gets none.
    if (isUp && (way === 'gone' || this.#held.length > 0)) await this.#receiver.stop()
    for (const release of this.#held.splice(0)) release()
    if (way !== 'gone' && !this.#receiver.isListening) await this.#receiver.start(this.#port)
  }

  /** Answers the next request that no other call waits for so, and not before `release`; `asked`: it came. */
  holdNext(way: 'well' | 'failing'): { readonly asked: Promise<void>; release(): void } {
    const [asked, released] = [Promise.withResolvers<void>(), Promise.withResolvers<void>()]
    this.#nexts.push({ way, asked: asked.resolve, released: released.promise })
    return { asked: asked.promise, release: released.resolve }
  }

  /** The numbers of a machine that it has. */
  numbersOf({ code }: Pick<TestMachine, 'code'>): ReadonlySet<number> {
    return this.#numbersOf(code).got
  }

  async stop(): Promise<void> {
    await this.behave('gone')
  }

  #numbersOf(code: string): Numbers {
    const known = this.#machines.get(code) ?? { got: new Set(), last: Number.NEGATIVE_INFINITY }
    this.#machines.set(code, known)
    return known
  }

  async #answer(request: Received): Promise<ReceiverAnswer> {
    this.#receiver.requests.length = 0
    const next = this.#nexts.shift()
    next?.asked()
    await next?.released
    const way = next?.way ?? this.#way
    if (way === 'failing') return 500
    if (way === 'silent') return new Promise((resolve) => this.#held.push(() => resolve('drop')))
    this.#take(request)
    if (way === 'losesAnswers') return 'drop'
    this.#answered.add(String(request.headers['webhook-id']))
    return 204
  }

  #take(request: Received): void {
    if (this.#answered.has(String(request.headers['webhook-id']))) this.repeats++
    for (const row of rowsOf(request) as NumberRow[]) {
      const { id, machineCode = '', gap, values = {} } = row
      const text = JSON.stringify(row)
      const before = this.#rows.get(id) ?? text
      if (this.#rows.has(id)) this.rowsAgain++
      if (before !== text) this.faults.push(`${id} is the id of ${before} and of ${text}`)
      this.#rows.set(id, text)
      if (gap) this.faults.push(`a gap was told: ${text}`)
      if (typeof values.n === 'number') this.#count(machineCode, values.n)
    }
  }

  #count(code: string, number: number): void {
    const known = this.#numbersOf(code)
    if (known.got.has(number)) return
    if (number < known.last) this.faults.push(`${number} of ${code} came after ${known.last}`)
    known.last = number
    known.got.add(number)
  }
}
