import type { projects } from '@busbar/contract'
import type { ProjectPlan } from '../projects/index.ts'
import type { WireTag } from '../telemetry/index.ts'

/** A machine's place in a project, with what each of its rows begins with. */
export interface Link {
  readonly linkId: number
  readonly machineId: number
  readonly machineCode: string
  readonly projectId: number
  /** When the machine came to the project. */
  readonly since: number
  readonly everyMs: number
  readonly head: string
}

/** Where the samples of a variable go: a link, and their name in its rows. */
export interface Outlet {
  readonly link: Link
  readonly group: string
  /** As JSON. */
  readonly key: string
}

interface Machine {
  /** Tells two plans of it apart. */
  readonly plan: string
  readonly links: readonly { readonly link: Link; readonly variables: projects.VariableChoice }[]
  readonly tags: WireTag[]
  /** Its variables were given. */
  isLoaded: boolean
}

const idsAtFirst = 65_536
const states = { unknown: 0, unwanted: 1, wanted: 2 } as const
const noOutlets: readonly Outlet[] = []

/** The variables that projects get, by their ids. */
export class WantedTags {
  readonly #machines = new Map<number, Machine>()
  readonly #outlets = new Map<number, readonly Outlet[]>()
  /** By id: most samples are of variables that no project gets, and are passed over by one look. */
  #states = new Uint8Array(idsAtFirst)

  /**
   * Takes other plans. Answers the machines whose variables have to be given to `load`, because they came to a project or
   * their place in one changed.
   */
  plan(plans: readonly ProjectPlan[]): number[] {
    const planned = new Map<number, { link: Link; variables: projects.VariableChoice }[]>()
    for (const { projectId, everyS, variables, links } of plans)
      for (const { linkId, machineId, machineCode, machineName, linkedAt } of links) {
        const head = `"machineCode":${JSON.stringify(machineCode)},"machineName":${JSON.stringify(machineName)},`
        const since = linkedAt.getTime()
        const link = { linkId, machineId, machineCode, projectId, since, everyMs: everyS * 1_000, head }
        planned.set(machineId, [...(planned.get(machineId) ?? []), { link, variables }])
      }
    for (const [machineId, { tags }] of this.#machines) {
      if (planned.has(machineId)) continue
      this.#machines.delete(machineId)
      this.#drop(tags)
    }
    for (const [machineId, links] of planned) {
      const plan = JSON.stringify(links)
      const known = this.#machines.get(machineId)
      if (known?.plan === plan) continue
      if (known) this.#drop(known.tags)
      this.#machines.set(machineId, { plan, links, tags: [], isLoaded: false })
    }
    return [...this.#machines].flatMap(([machineId, { isLoaded }]) => (isLoaded ? [] : [machineId]))
  }

  /** Takes all variables of machines. */
  load(machineIds: readonly number[], tags: readonly WireTag[]): void {
    this.#add(tags)
    for (const id of machineIds) {
      const machine = this.#machines.get(id)
      if (machine) machine.isLoaded = true
    }
  }

  /** Takes the variables with some ids; others of these ids no project gets. */
  meet(tagIds: Iterable<number>, tags: readonly WireTag[]): void {
    for (const id of tagIds) this.#setState(id, states.unwanted)
    this.#add(tags)
  }

  /** All links, by their ids. */
  get links(): ReadonlyMap<number, Link> {
    const links = [...this.#machines.values()].flatMap((machine) => machine.links)
    return new Map(links.map(({ link }) => [link.linkId, link]))
  }

  #add(tags: readonly WireTag[]): void {
    const changed = new Set<Machine>()
    for (const tag of tags) {
      const machine = this.#machines.get(tag.machineId)
      if (!machine || machine.tags.some(({ id }) => id === tag.id)) continue
      machine.tags.push(tag)
      changed.add(machine)
    }
    for (const machine of changed) this.#name(machine)
  }

  isKnown(tagId: number): boolean {
    return this.#states[tagId] !== states.unknown && tagId < this.#states.length
  }

  outletsOf(tagId: number): readonly Outlet[] {
    if (this.#states[tagId] !== states.wanted) return noOutlets
    return this.#outlets.get(tagId) ?? noOutlets
  }

  /** A variable has its own name where its machine has no second one of it, and its group's before it elsewhere. */
  #name({ tags, links }: Machine): void {
    const groups = new Map<string, Set<string>>()
    for (const { group, name } of tags) groups.set(name, (groups.get(name) ?? new Set()).add(group))
    for (const { id, group, name } of tags) {
      const isAlone = groups.get(name)?.size === 1 || group === ''
      const key = JSON.stringify(isAlone ? name : `${group}.${name}`)
      const outlets = links
        .filter(({ variables }) => isChosen(variables, group, name))
        .map(({ link }) => ({ link, group, key }))
      this.#outlets.set(id, outlets)
      this.#setState(id, outlets.length > 0 ? states.wanted : states.unwanted)
    }
  }

  #drop(tags: readonly WireTag[]): void {
    for (const { id } of tags) {
      this.#outlets.delete(id)
      this.#setState(id, states.unwanted)
    }
  }

  #setState(tagId: number, state: number): void {
    if (tagId >= this.#states.length) {
      const grown = new Uint8Array(Math.max(tagId + 1, this.#states.length * 2))
      grown.set(this.#states)
      this.#states = grown
    }
    this.#states[tagId] = state
  }
}

const isChosen = (choice: projects.VariableChoice, group: string, name: string): boolean =>
  choice === null ||
  choice.groups.includes(group) ||
  choice.tags.some((tag) => tag.group === group && tag.tag === name)
