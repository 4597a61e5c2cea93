import { tagSettings, type telemetry } from '@busbar/contract'
import { useState } from 'react'
import { call } from '../../../shared/api/client.ts'
import { IconButton } from '../../../shared/ui/button.tsx'
import { ownCsvWish } from '../../../shared/ui/data/csv.ts'
import { saveFile } from '../../../shared/ui/data/save-file.ts'
import { lazyPart } from '../../../shared/ui/lazy-part.tsx'
import { Menu, MenuItem } from '../../../shared/ui/menu/menu.tsx'
import { showToast } from '../../../shared/ui/toast/toast-store.ts'
import { useTagsText } from './tags-text.ts'

const ImportTagsDialog = lazyPart(
  () => import('./import-tags-dialog.tsx').then((module) => module.ImportTagsDialog),
  'dialog',
)

interface TagsMenuProps {
  machineId: number
  tags: readonly telemetry.Tag[]
  /** The caller may edit the descriptions of variables. */
  mayEdit: boolean
}

/** The list of variables as a file, out and in. */
export function TagsMenu({ machineId, tags, mayEdit }: TagsMenuProps) {
  const t = useTagsText()
  const [isImporting, setImporting] = useState(false)

  async function save() {
    try {
      const { csv } = await call(tagSettings.exportTags, { machineId, ...ownCsvWish() }, { noNotice: true })
      saveFile(`${t.exporting.file}.csv`, csv, 'text/csv')
    } catch {
      showToast(t.exporting.failed, 'failure')
    }
  }

  return (
    <>
      <Menu label={t.more} trigger={<IconButton icon="more" label={t.more} />} placement="bottom end">
        <MenuItem icon="download" onAction={() => void save()}>
          {t.exporting.action}
        </MenuItem>
        {mayEdit && (
          <MenuItem icon="plus" onAction={() => setImporting(true)}>
            {t.importing.action}
          </MenuItem>
        )}
      </Menu>
      {isImporting && <ImportTagsDialog {...{ machineId, tags }} onClose={() => setImporting(false)} />}
    </>
  )
}
