import { type AnswerOf, machines as contract } from '@busbar/contract'
import type { EdgeLink } from '../../edge-link/edge-link.ts'
import type { Database } from '../../kernel/database/database.ts'
import type { PlaceReader } from '../../kernel/database/place-of.ts'
import { type Binding, bind } from '../../kernel/http/bind.ts'
import { Failure } from '../../kernel/http/failure.ts'
import { type Access, type AccessPort, noAccess } from '../access/index.ts'
import type { ListProjects, NamedProject } from '../machine-lists/index.ts'
import { type AttributesRow, listAttributes, listListedIds } from './general-attributes-store.ts'

/** The parts that the routes of attributes use. */
export interface AttributesDeps {
  readonly db: Database
  /** Connections of whole lists. */
  readonly lists: Database
  readonly access: AccessPort
  readonly link: Pick<EdgeLink, 'presence'>
  readonly listProjects: ListProjects
}

type Attributes = AnswerOf<typeof contract.getGeneralAttributes>

/** The attributes that an ordinary user does not see. */
const withheld = {
  cloudService: true,
  lng: null,
  lat: null,
  address: '',
  checkType: contract.checkTypes.akeyAndBkey,
} as const

/** The general attributes of one machine and of the caller's list. */
export function generalAttributesRoutes(deps: AttributesDeps): Binding[] {
  const { db, lists, access, link } = deps

  async function listOf(
    from: Database,
    reader: PlaceReader,
    machineIds: readonly number[],
    now: number,
  ): Promise<Attributes[]> {
    const [rows, rights, presence, projects] = await Promise.all([
      listAttributes(from, reader, machineIds),
      access.list(reader.userId, machineIds, now),
      link.presence(machineIds),
      deps.listProjects(from, reader.userId, machineIds),
    ])
    return rows.map((row) => {
      const online = presence.get(row.id)?.online === true
      return presentAttributes(row, rights.get(row.id) ?? noAccess, online, projects.get(row.id))
    })
  }

  /** The machines among these that are online, or those that are not. */
  async function listPresent(machineIds: readonly number[], online: boolean): Promise<number[]> {
    const presence = await link.presence(machineIds)
    return machineIds.filter((id) => (presence.get(id)?.online === true) === online)
  }

  return [
    bind(contract.getGeneralAttributes, async ({ deviceId }, { user, lang, now }) => {
      const [attributes] = await listOf(db, { userId: user.userId, lang }, [deviceId], now)
      if (!attributes) throw new Failure('403')
      return attributes
    }),

    bind(contract.listGeneralAttributes, async (input, { user, lang, now }) => {
      const { page, pageSize, online } = input
      const groupId = input.groupId === 'ALL' ? undefined : input.groupId
      const listed = await listListedIds(lists, user.userId, { groupId, search: input.search.trim() })
      const found = online === undefined ? listed : await listPresent(listed, online)
      const shown = found.slice((page - 1) * pageSize, page * pageSize)
      const list = await listOf(lists, { userId: user.userId, lang }, shown, now)
      return { list, total: found.length, page, pageSize }
    }),
  ]
}

/** `maintenanceRemark` is of an enterprise's list of devices: empty in the personal space. */
function presentAttributes(
  row: AttributesRow,
  { level }: Access,
  online: boolean,
  project: NamedProject | undefined,
): Attributes {
  const told =
    level === contract.limitAuthority.ordinary
      ? withheld
      : {
          cloudService: row.cloud_service,
          lng: row.lng,
          lat: row.lat,
          address: row.address ?? '',
          checkType: row.check_type,
        }
  return {
    deviceId: row.id,
    machineCode: row.code,
    alias: row.name,
    remark: row.remark,
    maintenanceRemark: '',
    project: project?.name ?? '',
    group: row.groups,
    online,
    ...told,
  }
}
