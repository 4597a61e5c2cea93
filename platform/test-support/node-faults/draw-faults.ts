import { createRandom, type Random } from '../histories/random.ts'
import { lineNames } from '../processes/node-group.ts'

/** Four processes: two hold machines, one answers people, one has visits and jobs. */
export const faultRoles = {
  left: 'edge',
  right: 'edge',
  people: 'api,realtime',
  rest: 'visits,jobs',
} as const
export type NodeName = keyof typeof faultRoles
export type EdgeName = 'left' | 'right'
export const otherEdge = { left: 'right', right: 'left' } as const

/** The ways in which a line fails: bytes are lost in one direction or both without a word, or connections are reset. */
const ways = ['silent', 'noAnswers', 'noRequests', 'cut'] as const

/** How a handover begins: the node is killed or stops, or machines connect elsewhere while their connection stands. */
const hows = ['kill', 'move', 'stop'] as const

/** One fault. Times in milliseconds from the beginning of the run. */
export type NodeFault = { readonly atMs: number; readonly forMs: number } & (
  | { readonly kind: 'kill' | 'freeze'; readonly node: NodeName }
  | {
      readonly kind: 'line'
      readonly node: NodeName
      readonly line: (typeof lineNames)[number]
      readonly way: (typeof ways)[number]
    }
  | { readonly kind: 'natsGone' | 'databaseGone' }
  /** The machines of a node go to the other one, because it ends or for a reason of their own, and back again. */
  | { readonly kind: 'handover'; readonly node: EdgeName; readonly how: (typeof hows)[number] }
)

const nodes = ['left', 'right', 'people', 'rest'] as const
export const edges = ['left', 'right'] as const
const kinds = ['kill', 'freeze', 'line', 'line', 'natsGone', 'databaseGone'] as const
const furtherMax = 3

/**
 * The faults of the run of a seed: the first by its place in the kinds, up to three others beside it, and a handover of a
 * node that has no other fault.
 */
export function drawFaults(seed: number): readonly NodeFault[] {
  const random = createRandom(Math.imul(seed + 1, 0x9e3779b1))
  const faults = [drawFault(random, kinds[seed % kinds.length])]
  for (let further = random.below(furtherMax + 1); further > 0; further--) {
    const fault = drawFault(random, random.pick(kinds))
    if (!faults.some((other) => targetOf(other) === targetOf(fault))) faults.push(fault)
  }
  const how = hows[(seed + Math.floor(seed / kinds.length)) % hows.length] as (typeof hows)[number]
  const [free, ...more] = edges.filter((node) => !faults.some((fault) => targetOf(fault) === node))
  if (free) faults.push({ ...drawTimes(random), kind: 'handover', node: random.pick([free, ...more]), how })
  return faults.sort((a, b) => a.atMs - b.atMs)
}

/** Most faults are short; some are longer than each time-out between nodes. */
function drawTimes(random: Random): Pick<NodeFault, 'atMs' | 'forMs'> {
  const forMs = random.chance(0.15) ? 10_500 + random.below(2_000) : 200 + random.below(3_500)
  return { atMs: random.below(2_500), forMs }
}

function drawFault(random: Random, kind: (typeof kinds)[number] = 'kill'): NodeFault {
  const times = drawTimes(random)
  switch (kind) {
    case 'kill':
    case 'freeze':
      return { ...times, kind, node: random.pick(nodes) }
    case 'line': {
      const line = random.pick(lineNames)
      // Only nodes with machines are reached by others.
      const node = line === 'node' ? random.pick(edges) : random.pick(nodes)
      return { ...times, kind, node, line, way: random.pick(ways) }
    }
    default:
      return { ...times, kind }
  }
}

/** A target has one fault at a time: a killed node cannot be frozen, and lines of PostgreSQL break together or alone. */
function targetOf(fault: NodeFault): string {
  switch (fault.kind) {
    case 'natsGone':
      return 'nats'
    case 'databaseGone':
      return 'database'
    case 'line':
      return fault.line === 'database' ? 'database' : `${fault.node} ${fault.line}`
    default:
      return fault.node
  }
}

/** Faults in a few words. */
export function describeFaults(faults: readonly NodeFault[]): string {
  return faults
    .map((fault) => {
      const times = `${(fault.forMs / 1_000).toFixed(1)} s`
      if (fault.kind === 'line') return `${fault.line} line of ${fault.node} ${fault.way} ${times}`
      if (fault.kind === 'handover') return `handover of ${fault.node} by ${fault.how} ${times}`
      const isProcess = fault.kind === 'kill' || fault.kind === 'freeze'
      return `${fault.kind} ${isProcess ? `${fault.node} ` : ''}${times}`
    })
    .join(' + ')
}
