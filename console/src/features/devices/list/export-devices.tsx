import type { Machine } from '../../../entities/machine/machine.ts'
import { formatNumber, type Text } from '../../../shared/i18n/index.ts'
import { IconButton } from '../../../shared/ui/button.tsx'
import type { TableColumn } from '../../../shared/ui/table/column.ts'
import { showToast } from '../../../shared/ui/toast/toast-store.ts'
import type { MachineListView } from './use-machine-list.ts'
import { useSpaceWords } from './use-space-words.ts'

interface ExportDevicesProps {
  view: MachineListView
  /** Those that are shown. */
  columns: readonly TableColumn<Machine>[]
  text: Text
}

/** Saves the devices that the filters leave, with the columns that are shown. */
export function ExportDevices({ view, columns, text }: ExportDevicesProps) {
  const { title } = useSpaceWords()
  const t = text.table
  const save = async () => {
    try {
      const { saveDevices } = await import('../save-devices.ts')
      saveDevices(title, columns, view.rows, text)
      showToast(t.exported(formatNumber(view.rows.length)))
    } catch {
      showToast(t.exportFailed, 'failure')
    }
  }
  return (
    <IconButton
      icon="download"
      bordered
      label={t.export}
      data-tip={t.exportHint}
      disabled={view.rows.length === 0}
      onClick={() => void save()}
    />
  )
}
