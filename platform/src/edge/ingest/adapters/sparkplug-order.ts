import { parseSparkplugTopic } from '@busbar/link'
import type { NodeTopic, SparkplugNode } from './sparkplug.ts'
import type { Turn } from './uplink.ts'

/** Longest wait of a message before its turn for the missing one, in ms (rules/wire.md: sparkplug). */
export const reorderWaitMs = 50
/** Messages of one connection that wait so; one more lets all of them go. */
export const reorderedMax = 16

const sequenceLength = 256

interface WaitingMessage extends Turn {
  /** Takes the message, and resolves the promise of its sender. */
  readonly take: () => void
}

/**
 * Puts a node's messages that came in the wrong order back into it (Sparkplug 3.0, Host Application Message Ordering,
 * tck-id-operational-behavior-host-reordering-*): a message before its turn waits at most `reorderWaitMs`. Then all
 * waiting ones are taken as they are, and the node is asked for a rebirth.
 */
export class SparkplugOrder {
  readonly #node: SparkplugNode
  readonly #after: (ms: number, run: () => void) => () => void
  #waiting: WaitingMessage[] = []
  #cancelTimer: (() => void) | undefined

  /** `after` runs something once after a time in ms; its answer cancels it. */
  constructor(node: SparkplugNode, after: (ms: number, run: () => void) => () => void) {
    this.#node = node
    this.#after = after
    node.isPatient = true
  }

  get isWaiting(): boolean {
    return this.#waiting.length > 0
  }

  /** Keeps a message until its turn comes or the wait is over. Settles as `take` does. */
  hold(turn: Turn, take: () => Promise<void> | undefined): Promise<void> {
    const taken = new Promise<void>((resolve, reject) => {
      const settle = () => {
        try {
          resolve(take())
        } catch (error) {
          reject(error)
        }
      }
      this.#waiting.push({ ...turn, take: settle })
    })
    if (this.#waiting.length > reorderedMax) this.flush()
    else this.#cancelTimer ??= this.#after(reorderWaitMs, () => this.flush())
    return taken
  }

  /**
   * Call it before a message is taken while others wait: messages sent before a birth or a death of the node are taken
   * before it, with the definitions of that time.
   */
  makeWay(topic: NodeTopic, bytes: Uint8Array): void {
    const isBirth = topic.type === 'NBIRTH'
    if (topic.type === 'NDEATH' || (isBirth && !this.#hasOvertaken(bytes))) this.flush()
  }

  /** Call it after a message was taken: takes those whose turn it is now. */
  goOn(): void {
    for (;;) {
      const index = this.#waiting.findIndex(({ seq }) => seq === this.#node.nextSequence)
      if (index < 0) break
      const [next] = this.#waiting.splice(index, 1)
      next?.take()
    }
    if (!this.isWaiting) this.#stopTimer()
  }

  /** Takes all that wait, in the order of their numbers. */
  flush(): void {
    this.#stopTimer()
    const waiting = this.#waiting
    this.#waiting = []
    const from = this.#node.nextSequence ?? 0
    const distance = ({ seq }: Turn) => (seq - from + sequenceLength) % sequenceLength
    waiting.sort((one, other) => distance(one) - distance(other))
    this.#node.isPatient = false
    for (const { take } of waiting) take()
    this.#node.isPatient = true
  }

  /** Whether the message that follows a birth waits already. */
  #hasOvertaken(birth: Uint8Array): boolean {
    const turn = this.#node.turnOf(birth)
    return this.#waiting.some(
      ({ seq, sentAt }) =>
        turn !== undefined && seq === (turn.seq + 1) % sequenceLength && (sentAt ?? 0) >= (turn.sentAt ?? 0),
    )
  }

  #stopTimer(): void {
    this.#cancelTimer?.()
    this.#cancelTimer = undefined
  }
}

/** Whether a message is new although it equals an earlier one; births and deaths always are. */
export function isNextOfNode(topic: string, bytes: Uint8Array, node: SparkplugNode | undefined): boolean {
  const parsed = parseSparkplugTopic(topic)
  if (!parsed || parsed.type === 'STATE') return false
  if (parsed.type !== 'NDATA' && parsed.type !== 'DDATA') return true
  const seq = node?.turnOf(bytes)?.seq
  return seq !== undefined && seq === node?.nextSequence
}
