/** A project that proved its key. */
export interface ProjectLogin {
  readonly projectId: number
  readonly keyId: number
}

/** Why a project may not sign in: `retryIn` are seconds. */
export type ProjectLoginRefusal = { readonly wrong: true } | { readonly retryIn: number }

/** Why a session cannot be opened. */
export type SessionRefusal = 'tooManySessions'

/** A filter that the client subscribed to, with the QoS it was granted. */
export interface KeptFilter {
  readonly filter: string
  readonly qos: number
}

/** The session that a client asks for at its sign-in. */
export interface WantedSession {
  readonly clientId: string
  /** How long the session outlives its connection; 0: it ends with it. */
  readonly keptS: number
  /** A session of before is not continued. */
  readonly isFresh: boolean
}

/** A row on its way to a client; `no` is its place in the project's stream. */
export interface RowMessage {
  readonly no: number
  readonly topic: string
  readonly payload: Buffer
}

/** The connection of a session, as the project's side sees it. */
export interface ProjectLine {
  /** How many more rows the client takes now. */
  readonly room: number
  /**
   * Sends a row; false where no filter of the client matches its topic, or it is longer than the client takes.
   * `acknowledged` is called once the client has it.
   */
  send(row: RowMessage, acknowledged: () => void): boolean
  /** Sends another message than a row, at QoS 0. */
  tell(topic: string, payload: Buffer): void
  end(why: 'keyEnded' | 'takenOver' | 'stopping'): void
}

/** One client's session of a project. */
export interface ProjectSession {
  /** Whether it continues one of before. */
  readonly isPresent: boolean
  readonly filters: readonly KeptFilter[]
  /** Begins to send rows. */
  start(line: ProjectLine): void
  /** The line takes rows again. */
  wake(): void
  /** Resolves when the filters are kept. */
  keep(filters: readonly KeptFilter[]): Promise<void>
  /** A message on `cmd/{projectId}/{machineCode}`; its result is told by another one. */
  command(machineCode: string, payload: Buffer): Promise<void>
  /** The connection is over; `isForgotten`: so is the session. */
  close(isForgotten: boolean): void
}

/** The projects of the platform, as their MQTT connections need them: none of it leads to the store of machines' values. */
export interface ProjectDoor {
  login(projectId: number, key: Buffer, address: string): Promise<ProjectLogin | ProjectLoginRefusal>
  open(login: ProjectLogin, wanted: WantedSession): Promise<ProjectSession | SessionRefusal>
}
