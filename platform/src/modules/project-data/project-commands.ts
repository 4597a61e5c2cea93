import { errors, type telemetry } from '@busbar/contract'
import { z } from 'zod'
import type { Bus, BusEvents } from '../../kernel/bus/bus.ts'
import type { Database } from '../../kernel/database/database.ts'
import { Failure } from '../../kernel/http/failure.ts'
import type { Logger } from '../../kernel/logger.ts'
import type { Link, Links } from '../projects/index.ts'
import type { Telemetry } from '../telemetry/index.ts'
import type { Writes } from '../writes/index.ts'

type Result = BusEvents['projectResults']['result']

const payloadBytesMax = 64 * 1024
/** Variables of one command. */
const variablesMax = 50
const command = z.object({
  type: z.literal('set_var'),
  payload: z
    .record(z.string(), z.union([z.boolean(), z.number(), z.string()]))
    .refine((values) => Object.keys(values).length <= variablesMax),
})

export interface CommandDeps {
  readonly db: Database
  readonly bus: Pick<Bus, 'publish'>
  readonly links: Pick<Links, 'find'>
  readonly telemetry: Pick<Telemetry, 'listWireTags'>
  readonly writes: Writes
  readonly logger: Logger
}

/**
 * Runs the commands of projects as writes of the member who stands for the machine (rules/projects.md: writing back). Each
 * variable has a result on the project's topic; a command that cannot be read has one without a variable.
 */
export class ProjectCommands {
  readonly #deps: CommandDeps

  constructor(deps: CommandDeps) {
    this.#deps = deps
  }

  /** Resolves when the values are sent to the machine, or refused. */
  async run(projectId: number, machineCode: string, payload: Buffer): Promise<void> {
    const tell = (tag: string, result: Omit<Result, 'machineCode' | 'tag'>) =>
      this.#deps.bus.publish('projectResults', { projectId, result: { machineCode, tag, ...result } })
    const values = parseCommand(payload)
    if (!values) return tell('', refused('COMMAND_UNREADABLE'))
    for (const [tag, value] of Object.entries(values)) {
      try {
        await this.#write({ projectId, machineCode, tag, value }, (result) => tell(tag, result))
      } catch (error) {
        if (!(error instanceof Failure))
          this.#deps.logger.warn({ err: error, projectId }, 'projectCommand.failed')
        tell(tag, refused(errors[error instanceof Failure ? error.code : '500'].hwreason))
      }
    }
  }

  async #write(
    asked: { projectId: number; machineCode: string; tag: string; value: boolean | number | string },
    ended: (result: Omit<Result, 'machineCode' | 'tag'>) => void,
  ): Promise<void> {
    const { writes, telemetry } = this.#deps
    const { projectId, machineCode, tag, value } = asked
    const link = await this.#findLink(projectId, machineCode)
    // The id of a machine outside of the project is not told from one that does not exist.
    if (link?.linkedBy == null) throw new Failure('404')
    if (!link.mayWrite) throw new Failure('READ_ONLY')
    const { machineId, linkedBy: userId } = link
    const found = findTag(await telemetry.listWireTags(machineId, 'en'), tag)
    if (!found) throw new Failure('404')
    await writes.write({
      userId,
      machineId,
      tagId: found.tagId,
      value,
      note: await this.#nameOf(projectId),
      lang: 'en',
      countedAs: `project ${projectId}`,
      ended: ({ state, kept, reason }) =>
        ended({
          ok: state === 'confirmed',
          reason: state === 'timedOut' ? 'TIMED_OUT' : reason,
          value: kept,
        }),
    })
  }

  async #findLink(projectId: number, machineCode: string): Promise<Link | undefined> {
    const { db, links } = this.#deps
    const machine = await db
      .selectFrom('machines')
      .select('id')
      .where('code', '=', machineCode)
      .executeTakeFirst()
    return machine && links.find(projectId, machine.id)
  }

  async #nameOf(projectId: number): Promise<string> {
    const { db } = this.#deps
    const row = await db.selectFrom('projects').select('name').where('id', '=', projectId).executeTakeFirst()
    return row?.name ?? ''
  }
}

const refused = (reason: string): Omit<Result, 'machineCode' | 'tag'> => ({ ok: false, reason, value: null })

function parseCommand(payload: Buffer): z.output<typeof command>['payload'] | undefined {
  if (payload.length > payloadBytesMax) return undefined
  try {
    return command.safeParse(JSON.parse(payload.toString())).data?.payload
  } catch {
    return undefined
  }
}

/** The variable that a row of the project names in the same way: a name that two groups have has its group before it. */
function findTag(tags: readonly telemetry.Tag[], name: string): telemetry.Tag | undefined {
  const named = tags.filter((each) => each.tag === name)
  if (named.length === 1) return named[0]
  return tags.find(({ group, tag }) => `${group}.${tag}` === name)
}
