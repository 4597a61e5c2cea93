import { operator } from '@busbar/contract'
import { call } from '../../shared/api/client.ts'

/**
 * So long a part may take: every machine's password is hashed, on a busy server slowly, an answer that is late is cut
 * off on its way, and the progress should move.
 */
const partMs = 2_000
const firstLines = 10
const linesMin = 2
const linesMax = 100

/** The progress of an import, and its results so far. */
export interface ImportProgress {
  /** Lines that were answered; a continued import begins after them. */
  readonly done: number
  readonly all: number
  readonly refused: readonly { readonly line: number; readonly reason: operator.Refusal }[]
  readonly secrets: readonly operator.MachineSecrets[]
  readonly state: 'running' | 'done' | 'stopped' | 'broken'
}

/**
 * Registers the lines of a file, part after part, and reports each step; `before` continues one that ended
 * early. A part without an answer is not sent again automatically: its machines may be registered with
 * secrets that the operator never received. If a person sends it again, they are refused as known.
 */
export async function runImport(
  lines: readonly string[],
  signal: AbortSignal,
  tell: (progress: ImportProgress) => void,
  before?: ImportProgress,
): Promise<void> {
  const refused: ImportProgress['refused'][number][] = [...(before?.refused ?? [])]
  const secrets: operator.MachineSecrets[] = [...(before?.secrets ?? [])]
  const at = (done: number, state: ImportProgress['state']) =>
    tell({ done, all: lines.length, state, refused: [...refused], secrets: [...secrets] })
  const known = new Set(secrets.map(({ machineCode }) => machineCode))
  let count = firstLines
  for (let from = before?.done ?? 0; from < lines.length; ) {
    if (signal.aborted) return at(from, 'stopped')
    at(from, 'running')
    const csv = lines.slice(from, from + count).join('\n')
    const sentAt = performance.now()
    try {
      const answer = await call(operator.importMachines, { csv, firstLine: from + 1 }, { noNotice: true })
      // Registered a moment ago by another line of the same file.
      for (const { line, reason } of answer.refused)
        refused.push({
          line,
          reason: reason === 'known' && known.has(codeOf(lines[line - 1])) ? 'twice' : reason,
        })
      for (const machine of answer.secrets) {
        secrets.push(machine)
        known.add(machine.machineCode)
      }
    } catch {
      return at(from, 'broken')
    }
    from += count
    const tookMs = Math.max(1, performance.now() - sentAt)
    count = Math.min(linesMax, Math.max(linesMin, Math.round((count * partMs) / tookMs)))
  }
  at(lines.length, 'done')
}

const codeOf = (line = '') => /\d{19}/.exec(line)?.[0] ?? ''
