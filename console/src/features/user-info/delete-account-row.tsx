import { useState } from 'react'
import type { Person } from '../../app/account-queries.ts'
import { useText } from '../../i18n/index.ts'
import { Button } from '../../ui/button.tsx'
import { DeleteAccountDialog } from './delete-account-dialog.tsx'
import { SettingPanel, SettingRow } from './setting-row.tsx'

/** The deletion of the account, set apart from the other settings. */
export function DeleteAccountRow({ person }: { person: Person }) {
  const t = useText().account.leaving
  const [isOpen, setOpen] = useState(false)
  return (
    <SettingPanel>
      <SettingRow name={t.name} hint={t.hint}>
        <Button kind="danger" onClick={() => setOpen(true)}>
          {t.open}
          <span className="sr-only">{t.name}</span>
        </Button>
      </SettingRow>
      {isOpen && <DeleteAccountDialog person={person} onClose={() => setOpen(false)} />}
    </SettingPanel>
  )
}
