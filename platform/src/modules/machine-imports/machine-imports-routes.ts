import { type Lang, operator } from '@busbar/contract'
import { writeXlsx } from '../../kernel/files/xlsx-writer.ts'
import { ZoneClock } from '../../kernel/files/zone-clock.ts'
import { type Binding, bind } from '../../kernel/http/bind.ts'
import * as service from './machine-imports-service.ts'
import { listImports, type StoredImport } from './machine-imports-store.ts'

const secretsMs = operator.secretsHours * 3_600_000

/** The calls for imports of machines; each person has only their own. */
export function machineImportsRoutes(deps: service.ImportsDeps): Binding[] {
  const { db } = deps
  return [
    bind(operator.importMachines, async ({ csv }, context) => ({
      jobId: await service.add(deps, context, csv),
    })),

    bind(operator.listMachineImports, async (_, { user }) => {
      const imports = await listImports(db, user.userId)
      return imports.map((one) => ({ ...present(one), refused: refusedOf(one) }))
    }),

    bind(operator.getMachineImport, async ({ jobId }, { user }) => {
      const one = await service.findOwn(db, user.userId, jobId)
      return { ...present(one), refused: await service.listRefused(db, one) }
    }),

    bind(operator.stopMachineImport, async ({ jobId }, { user }) => {
      await service.stop(deps, user.userId, jobId)
      return {}
    }),

    bind(operator.getMachineImportSecrets, ({ jobId }, context) => service.listSecrets(deps, context, jobId)),

    bind(operator.downloadMachineImportSecrets, async ({ jobId }, context) => {
      const bytes = await secretsFile(await service.listSecrets(deps, context, jobId), context.lang)
      return {
        name: 'machines.xlsx',
        mediaType: 'application/vnd.openxmlformats-officedocument.spreadsheetml.sheet',
        bytes: bytes.length,
        tag: `${jobId}-${bytes.length}`,
        async *open(from, to) {
          yield bytes.subarray(from, to + 1)
        },
      }
    }),

    bind(operator.confirmMachineImport, async (input, context) => {
      await service.confirm(deps, context, input)
      return {}
    }),
  ]
}

const present = (one: StoredImport): Omit<operator.ImportRow, 'refused'> => ({
  jobId: one.id,
  state: one.state,
  lines: one.lines,
  done: one.done,
  created: one.created,
  secrets: one.secrets,
  secretsUntil: one.endedAt && one.secrets > 0 ? one.endedAt.getTime() + secretsMs : null,
  reason: one.reason,
  createdAt: one.createdAt.getTime(),
})

const refusedOf = ({ done, created }: StoredImport): number => done - created

const headings: Readonly<Record<Lang, readonly string[]>> = {
  cn: ['机器码', '类型', '型号', '设备密码', '密钥'],
  en: ['machine code', 'type', 'model', 'device password', 'secret'],
}
const headingWidth = 24

/** Codes and secrets as texts: a spreadsheet neither rounds nor calculates them. */
async function secretsFile(secrets: readonly operator.MachineSecrets[], lang: Lang): Promise<Buffer> {
  const rows = secrets.map((one) => [one.machineCode, one.type, one.model, one.password, one.secret])
  const columns = headings[lang].map((header) => ({ header, kind: 'text' as const, width: headingWidth }))
  const pieces: Buffer[] = []
  const sheets = [{ name: lang === 'cn' ? '设备' : 'Devices', columns, blocks: [rows] }]
  for await (const piece of writeXlsx(sheets, { clock: new ZoneClock('UTC') })) pieces.push(piece)
  return Buffer.concat(pieces)
}
