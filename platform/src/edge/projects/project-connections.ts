import { gatewayLimits } from '../limits.ts'
import type { LoginRefusal, LoginRequest } from '../mqtt/connection-host.ts'
import { type ReasonCode, reason } from '../mqtt/reasons.ts'
import type {
  ProjectDoor,
  ProjectLogin,
  ProjectSession,
  SessionRefusal,
  WantedSession,
} from './project-door.ts'

interface Connection {
  end(code: ReasonCode, why: string): void
}

const refusals: Record<SessionRefusal, ReasonCode> = {
  tooManySessions: reason.clientIdentifierNotValid,
}

/** The connections of projects at this process: one for each client id of a project. */
export class ProjectConnections<Client extends Connection> {
  /** Undefined where no project can sign in. */
  door: ProjectDoor | undefined
  readonly #clients = new Map<number, Map<string, Client>>()
  readonly #places = new Map<Client, { readonly projectId: number; readonly clientId: string }>()

  async login(projectId: number, { secret, address }: LoginRequest): Promise<ProjectLogin | LoginRefusal> {
    const login = await this.door?.login(projectId, secret, address)
    if (!login || 'wrong' in login) return { refused: reason.badUserNameOrPassword }
    return 'retryIn' in login ? { refused: reason.connectionRateExceeded } : login
  }

  async open(
    client: Client,
    login: ProjectLogin,
    wanted: WantedSession,
  ): Promise<ProjectSession | LoginRefusal> {
    const { projectId } = login
    const { clientId } = wanted
    const ofProject = this.#clients.get(projectId) ?? new Map<string, Client>()
    const before = ofProject.get(clientId)
    if (!before && ofProject.size >= gatewayLimits.projectConnectionsMax)
      return { refused: reason.connectionRateExceeded }
    // Taken at once: another one of this client id ends this one, even while its session opens.
    ofProject.set(clientId, client)
    this.#clients.set(projectId, ofProject)
    this.#places.set(client, { projectId, clientId })
    before?.end(reason.sessionTakenOver, 'the client connected again')
    const session = await this.door?.open(login, wanted)
    if (session === undefined) return { refused: reason.serverBusy }
    return typeof session === 'string' ? { refused: refusals[session] } : session
  }

  list(): Client[] {
    return [...this.#places.keys()]
  }

  gone(client: Client): void {
    const place = this.#places.get(client)
    if (!place) return
    this.#places.delete(client)
    const ofProject = this.#clients.get(place.projectId)
    if (ofProject?.get(place.clientId) === client) ofProject.delete(place.clientId)
    if (ofProject?.size === 0) this.#clients.delete(place.projectId)
  }
}
