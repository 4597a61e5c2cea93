import { type operator as contract, demoMachineCode, limits, shortText } from '@busbar/contract'
import { isCommonPassword } from '../accounts/index.ts'

const modelMax = 64
const columnsMax = 4
const headers = /^(?:machine ?code|code|pn|机器码)$/i

/** A line that can be registered; without a password one is made. */
export interface ImportLine {
  readonly line: number
  readonly code: string
  readonly type: string
  readonly model: string
  readonly password: string | undefined
}

export interface RefusedLine {
  readonly line: number
  readonly reason: contract.Refusal
}

/** The lines of a text; the caller checks whether there are more than may be sent at a time. */
export function splitLines(csv: string): string[] {
  const lines = csv.replace(/^\ufeff/, '').split(/\r\n|\n|\r/)
  if (lines.at(-1) === '') lines.pop()
  return lines
}

/**
 * Reads lines of `machineCode,type,model,password`; a head on the file's first line and empty lines are passed over.
 * Commas, semicolons or tabs; quoted fields as RFC 4180 has them, without line breaks in them.
 */
export function parseImport(
  lines: readonly string[],
  firstLine: number,
): { good: ImportLine[]; refused: RefusedLine[] } {
  const good: ImportLine[] = []
  const refused: RefusedLine[] = []
  const seen = new Set<string>()
  lines.forEach((text, place) => {
    const line = firstLine + place
    if (text.trim() === '') return
    const fields = splitFields(text)
    if (line === 1 && headers.test(fields[0] ?? '')) return
    const reason = problemOf(fields, seen)
    if (reason) {
      refused.push({ line, reason })
      return
    }
    const [code = '', type = '', model = '', password = ''] = fields
    seen.add(code)
    good.push({ line, code, type: type || 'machine', model, password: password || undefined })
  })
  return { good, refused }
}

function problemOf(fields: readonly string[], seen: ReadonlySet<string>): contract.Refusal | undefined {
  const [code = '', type = '', model = '', password = ''] = fields
  if (fields.length > columnsMax) return 'columns'
  if (!/^[0-9]{19}$/.test(code)) return 'code'
  if (code === demoMachineCode) return 'demo'
  if (seen.has(code)) return 'twice'
  if (!shortText(0, limits.machineTypeMax).safeParse(type).success) return 'type'
  if (!shortText(0, modelMax).safeParse(model).success) return 'model'
  if (password === '') return undefined
  if (password.length < limits.machinePasswordMin || password.length > limits.machinePasswordMax)
    return 'password'
  return isCommonPassword(password) ? 'commonPassword' : undefined
}

/** The fields of a line, trimmed; a quoted one may hold the separator, and `""` for a quote. */
function splitFields(line: string): string[] {
  const separator = line.includes('\t') ? '\t' : line.includes(',') ? ',' : ';'
  const fields: string[] = []
  let at = 0
  while (at <= line.length) {
    if (line[at] === '"') {
      const end = findQuoteEnd(line, at + 1)
      fields.push(
        line
          .slice(at + 1, end)
          .replaceAll('""', '"')
          .trim(),
      )
      const next = line.indexOf(separator, end)
      at = next < 0 ? line.length + 1 : next + 1
    } else {
      const next = line.indexOf(separator, at)
      const end = next < 0 ? line.length : next
      fields.push(line.slice(at, end).trim())
      at = end + 1
    }
  }
  return fields
}

function findQuoteEnd(line: string, from: number): number {
  for (let at = from; at < line.length; at++) {
    if (line[at] !== '"') continue
    if (line[at + 1] !== '"') return at
    at++
  }
  return line.length
}
