import { enterprises, limits } from '@busbar/contract'
import { useState } from 'react'
import { call } from '../../shared/api/client.ts'
import { useText } from '../../shared/i18n/index.ts'
import css from '../../shared/ui/dialogs/form.module.css'
import { FormDialog } from '../../shared/ui/dialogs/form-dialog.tsx'
import { TextField } from '../../shared/ui/field.tsx'
import { findLengthProblem } from '../../shared/ui/text-problems.ts'
import { useAct } from '../../shared/ui/use-act.ts'

interface CreateEnterpriseDialogProps {
  onClose: () => void
  onCreated: (eid: number) => void
}

/** Makes an enterprise whose owner one is. */
export function CreateEnterpriseDialog({ onClose, onCreated }: CreateEnterpriseDialogProps) {
  const {
    app,
    enterprises: { space: t },
  } = useText()
  const [name, setName] = useState('')
  const [problem, setProblem] = useState<string>()
  const [refusal, setRefusal] = useState<string>()
  const create = useAct<string>({
    call: async (wished) => {
      const { eid } = await call(enterprises.createEnterprise, { name: wished })
      onClose()
      onCreated(eid)
    },
    done: t.created,
    touched: [['enterprises']],
    onRefused: setRefusal,
  })
  return (
    <FormDialog
      title={t.createTitle}
      submit={t.create}
      busy={create.isPending}
      refusal={refusal}
      onClose={onClose}
      onSubmit={() => {
        const found = name.trim() ? findLengthProblem(name, limits.enterpriseNameMax, app) : t.nameMissing
        setProblem(found)
        if (!found) create.mutate(name.trim())
      }}
    >
      <p className={css.body}>{t.createHint}</p>
      <TextField label={t.name} name="name" autoFocus value={name} error={problem} onChange={setName} />
    </FormDialog>
  )
}
