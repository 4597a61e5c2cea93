import type { ReportData } from '../report-data.ts'
import type { Writer } from '../report-words.ts'

/** The missing data of a report, in its reader's words. */
export function leftOutLines({ leftOut }: Pick<ReportData, 'leftOut'>, { words, lang }: Writer): string[] {
  const join = (names: readonly string[]) => names.join(lang === 'cn' ? '、' : ', ')
  return [
    ...(leftOut.machines > 0 ? [words.leftOutMachines(leftOut.machines)] : []),
    ...(leftOut.unseen > 0 ? [words.leftOutUnseen(leftOut.unseen)] : []),
    ...(leftOut.tags.length > 0 ? [words.leftOutTags(join(leftOut.tags))] : []),
    ...(leftOut.tooLarge.length > 0 ? [words.leftOutTooLarge(join(leftOut.tooLarge))] : []),
  ]
}
