import { type operator as contract, demoMachineCode, limits, operator, shortText } from '@busbar/contract'
import { readTable, type TableRow } from '../../kernel/files/read-table.ts'
import { isCommonPassword } from '../accounts/index.ts'
import { type CodeRange, isInRange } from '../machine-register/index.ts'

const modelMax = 64

/** The names of each column in a heading; a file without one has them in this order. */
const columns = {
  machineCode: ['machinecode', 'machine code', 'code', 'pn', '机器码'],
  type: ['type', 'machine type', '类型'],
  model: ['model', '型号'],
  password: ['password', 'device password', '密码', '设备密码'],
} as const

/** A line that can be registered; without a password one is made. */
export interface ImportLine {
  readonly line: number
  readonly code: string
  readonly type: string
  readonly model: string
  readonly password: string | undefined
}

/**
 * Reads a file of machines. A password is read as it is written, because no file of ours guards one.
 * @throws Failure 12010302 for too many lines, TABLE_UNREADABLE
 */
export async function readMachines(
  csv: string,
  selfRegistered: CodeRange,
): Promise<{ good: ImportLine[]; refused: contract.RefusedLine[] }> {
  const table = await readTable(csv, { rowsMax: operator.importLinesMax, refusal: '12010302', columns })
  const seen = new Set<string>()
  const lines = await table.map((row): ImportLine | contract.RefusedLine => {
    const { line } = row
    const fields = fieldsOf(row)
    const reason = row.isTooWide ? 'columns' : problemOf(fields, seen, selfRegistered)
    if (reason) return { line, reason }
    seen.add(fields.code)
    return { ...fields, line, type: fields.type || 'machine', password: fields.password || undefined }
  })
  return {
    good: lines.filter((one) => 'code' in one),
    refused: lines.filter((one) => 'reason' in one),
  }
}

const fieldsOf = (row: TableRow) => ({
  code: row.cell('machineCode').trim(),
  type: row.cell('type').trim(),
  model: row.cell('model').trim(),
  password: row.exact('password').trim(),
})

function problemOf(
  { code, type, model, password }: ReturnType<typeof fieldsOf>,
  seen: ReadonlySet<string>,
  selfRegistered: CodeRange,
): contract.Refusal | undefined {
  if (!/^[0-9]{19}$/.test(code)) return 'code'
  if (code === demoMachineCode) return 'demo'
  if (isInRange(selfRegistered, code)) return 'selfRegistered'
  if (seen.has(code)) return 'twice'
  if (!shortText(0, limits.machineTypeMax).safeParse(type).success) return 'type'
  if (!shortText(0, modelMax).safeParse(model).success) return 'model'
  if (password === '') return undefined
  if (password.length < limits.machinePasswordMin || password.length > limits.machinePasswordMax)
    return 'password'
  return isCommonPassword(password) ? 'commonPassword' : undefined
}
