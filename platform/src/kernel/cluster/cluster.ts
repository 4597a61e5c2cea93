/** Why a process did not answer a question. */
export type Unanswered =
  /** No process subscribes to this subject. */
  | 'nobody'
  /** The line to the other processes is down, the answer took too long, or the other process failed. */
  | 'unreachable'

/** The other process did not answer. */
export class NoAnswer extends Error {
  override name = 'NoAnswer'
  readonly why: Unanswered

  constructor(why: Unanswered, cause?: unknown) {
    super(why === 'nobody' ? 'nobody answers' : 'the other process cannot be reached', { cause })
    this.why = why
  }
}

/** Why a message was refused: not of this platform, or kept and sent again. */
export type Refusal = 'forged' | 'old' | 'replayed'

/** The traffic of the line since the start of this process. */
export interface ClusterTraffic {
  /** Questions of this process, by outcome. */
  readonly asked: Readonly<Record<'answered' | Unanswered, number>>
  /** Messages, and the bytes of their payloads. */
  readonly sent: { readonly messages: number; readonly bytes: number }
  readonly received: { readonly messages: number; readonly bytes: number }
  readonly refused: Readonly<Record<Refusal, number>>
}

/** Ends a subscription. */
export type Unsubscribe = () => void

/**
 * The line between the processes of one platform. Messages may be lost, and none is stored: everything that must arrive
 * is in the database. Each is sealed: nobody else can read, make, change or repeat one. Subjects are words with dots between them; messages are JSON values and bigints.
 */
export interface Cluster {
  /** Whether the line is up now. */
  readonly isUp: boolean
  readonly traffic: ClusterTraffic
  /** Begins to connect, and keeps trying until `stop`. */
  start(): void
  stop(): Promise<void>
  /** Sends to all other processes that have subscribed; to none while the line is down. */
  publish(subject: string, message: unknown): void
  /** Receives the messages that other processes publish. */
  subscribe(subject: string, listener: (message: unknown) => void): Unsubscribe
  /**
   * Asks the process that answers on a subject.
   * @throws NoAnswer after `deadlineMs`, or at once if no process answers on it or the line is down
   */
  ask(subject: string, question: unknown, deadlineMs: number): Promise<unknown>
  /** Answers questions of other processes; if `answer` throws, the asking process gets `unreachable`. */
  answer(subject: string, answer: (question: unknown) => Promise<unknown>): Unsubscribe
  /** Called when messages may have been missed: each time the line is up again, and where they came too late. */
  onUp(listener: () => void): Unsubscribe
}
