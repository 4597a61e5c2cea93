import { formatCsv, type operator } from '@busbar/contract'
import { saveFile } from '../../shared/ui/data/save-file.ts'
import type { OperatorText } from './operator-text.ts'

/** Saves passwords and secrets that are shown once as a table. */
export function saveSecretsFile(
  secrets: readonly operator.MachineSecrets[],
  names: OperatorText['importing']['fileColumns'],
): void {
  const rows = secrets.map((each) => [each.machineCode, each.type, each.model, each.password, each.secret])
  const head = [names.code, names.type, names.model, names.password, names.secret]
  saveFile('machines.csv', formatCsv([head, ...rows]), 'text/csv')
}
