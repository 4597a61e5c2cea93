import { ApiError, errorText, type Lang, limits, textWidth } from '@busbar/contract'
import type { Text } from '../../../shared/i18n/index.ts'
import { isSpecialInNames } from '../../../shared/ui/text-problems.ts'

export interface EditInput {
  readonly name: string
  readonly remark: string
}

export interface EditProblems {
  readonly name?: string
  readonly remark?: string
  /** What concerns neither. */
  readonly general?: string
}

/** What is wrong with a name and a remark (decision 27), beside the field it concerns. */
export function checkEditInput(input: EditInput, text: Text): EditProblems {
  const { problems } = text.machines.addDialog
  const t = text.machineEdit.edit
  const [name, remark] = [input.name.trim(), input.remark.trim()]
  const [nameLength, remarkLength] = [textWidth(name), textWidth(remark)]
  const found: { name?: string; remark?: string } = {}
  if (nameLength === 0) found.name = problems.nameEmpty
  else if (nameLength > limits.machineNameMax)
    found.name = problems.nameTooLong(nameLength, limits.machineNameMax)
  else if (isSpecialInNames(name)) found.name = t.special
  if (remarkLength > limits.remarkMax) found.remark = t.remarkTooLong(remarkLength, limits.remarkMax)
  else if (isSpecialInNames(remark)) found.remark = t.special
  return found
}

const fieldOfCode: Readonly<Record<string, keyof EditInput>> = {
  '040104011': 'name',
  '04010412': 'name',
  '04010406': 'remark',
}
const fieldOfRequest: Readonly<Record<string, keyof EditInput>> = {
  updateMachineName: 'name',
  updateMachineRemark: 'remark',
}

/** What a refusal says, beside the field it is about. */
export function judgeEditFailure(error: unknown, text: Text, lang: Lang): EditProblems {
  const { failed } = text.machineEdit.edit
  if (!(error instanceof ApiError)) return { general: failed }
  const known = errorText(error.code, lang)
  const field = fieldOfCode[error.code] ?? fieldOfRequest[error.field ?? '']
  if (field) return { [field]: known ?? error.message }
  return { general: (error.http === 200 && known) || failed }
}
