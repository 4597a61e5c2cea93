import { formatCsv, type operator } from '@busbar/contract'
import { saveFile } from '../../shared/ui/data/save-file.ts'
import type { OperatorText } from './operator-text.ts'

/** Saves passwords and secrets as a table; none of them is changed by a mark against formulas. */
export function saveSecretsFile(
  secrets: readonly operator.MachineSecrets[],
  names: OperatorText['importing']['fileColumns'],
): void {
  const exact = (text: string) => ({ exact: text })
  const rows = secrets.map((each) => [
    exact(each.machineCode),
    each.type,
    each.model,
    exact(each.password),
    exact(each.secret),
  ])
  const head = [names.code, names.type, names.model, names.password, names.secret]
  saveFile('machines.csv', formatCsv([head, ...rows]), 'text/csv')
}
