import { enterprises, limits } from '@busbar/contract'
import { useState } from 'react'
import { call } from '../../api/client.ts'
import { findLengthProblem } from '../../app/text-problems.ts'
import { useText } from '../../i18n/index.ts'
import { TextField } from '../../ui/field.tsx'
import css from '../access/form.module.css'
import { FormDialog } from './form-dialog.tsx'
import { useAct } from './use-act.ts'

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
