import { limits, registration } from '@busbar/contract'
import { useMutation, useQueryClient } from '@tanstack/react-query'
import { type FormEvent, useId, useState } from 'react'
import { explainStep } from '../../../entities/account/code-calls.ts'
import { findNameProblem } from '../../../entities/account/person-rules.ts'
import { call } from '../../../shared/api/client.ts'
import { useText } from '../../../shared/i18n/index.ts'
import { personQuery } from '../../../shared/session/account-queries.ts'
import { Button } from '../../../shared/ui/button.tsx'
import { Dialog } from '../../../shared/ui/dialog.tsx'
import { TextField } from '../../../shared/ui/field.tsx'
import { SettingRow } from '../../../shared/ui/fields/setting-row.tsx'
import { showToast } from '../../../shared/ui/toast/toast-store.ts'

/** A person's name, and the dialog that changes it. */
export function NameRow({ name }: { name: string }) {
  const t = useText().account.info
  const [isOpen, setOpen] = useState(false)
  return (
    <SettingRow name={t.name} value={name}>
      <Button onClick={() => setOpen(true)}>
        {t.edit}
        <span className="sr-only">{t.name}</span>
      </Button>
      {isOpen && <NameDialog name={name} onClose={() => setOpen(false)} />}
    </SettingRow>
  )
}

function NameDialog({ name, onClose }: { name: string; onClose: () => void }) {
  const { account: t, app, joining } = useText()
  const queries = useQueryClient()
  const formId = useId()
  const [typed, setTyped] = useState(name)
  const [problem, setProblem] = useState<string>()
  const save = useMutation({
    mutationFn: () => call(registration.updateUserName, { name: typed.trim() }, { noNotice: true }),
    onSuccess: () => {
      showToast(t.saved)
      onClose()
      return queries.invalidateQueries({ queryKey: personQuery.queryKey })
    },
    onError: (error) => setProblem(explainStep(error, joining)),
  })

  function submit(event: FormEvent) {
    event.preventDefault()
    const found = findNameProblem(typed, joining.person)
    setProblem(found)
    if (!found) save.mutate()
  }

  return (
    <Dialog
      title={t.info.nameEdit}
      onClose={onClose}
      actions={
        <>
          <Button onClick={onClose}>{app.cancel}</Button>
          <Button kind="primary" type="submit" form={formId} busy={save.isPending}>
            {t.save}
          </Button>
        </>
      }
    >
      <form id={formId} noValidate onSubmit={submit}>
        <TextField
          label={t.info.name}
          autoFocus
          autoComplete="name"
          maxLength={limits.personNameMax * 16}
          value={typed}
          error={problem}
          onChange={(next) => {
            setTyped(next)
            setProblem(undefined)
          }}
        />
      </form>
    </Dialog>
  )
}
