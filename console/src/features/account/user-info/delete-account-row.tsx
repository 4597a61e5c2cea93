import { useState } from 'react'
import { useText } from '../../../shared/i18n/index.ts'
import type { Person } from '../../../shared/session/account-queries.ts'
import { Button } from '../../../shared/ui/button.tsx'
import { SettingPanel, SettingRow } from '../../../shared/ui/fields/setting-row.tsx'
import { DeleteAccountDialog } from './delete-account-dialog.tsx'

/** The deletion of the account, set apart from the other settings. */
export function DeleteAccountRow({ person }: { person: Person }) {
  const t = useText().account.leaving
  const [isOpen, setOpen] = useState(false)
  return (
    <SettingPanel>
      <SettingRow name={t.name} hint={t.hint}>
        <Button onClick={() => setOpen(true)}>
          {t.open}
          <span className="sr-only">{t.name}</span>
        </Button>
      </SettingRow>
      {isOpen && <DeleteAccountDialog person={person} onClose={() => setOpen(false)} />}
    </SettingPanel>
  )
}
