import { access } from '@busbar/contract'
import { call } from '../../shared/api/client.ts'
import { useText } from '../../shared/i18n/index.ts'
import { Button } from '../../shared/ui/button.tsx'
import { TextField } from '../../shared/ui/field.tsx'
import { FormRefusal } from '../../shared/ui/form/form-dialog.tsx'
import { useForm } from '../../shared/ui/form/use-form.ts'
import { showToast } from '../../shared/ui/toast/toast-store.ts'
import { useAdministration } from './administration.ts'
import { Locked, Setting } from './setting.tsx'
import css from './settings.module.css'
import { takeBack } from './use-run.ts'

/** The name that all people see who add the machine. */
export function SharedNameSetting() {
  const { machine, limits, refresh } = useAdministration()
  const t = useText().access
  const former = machine.sharedName
  const set = (machineName: string) =>
    call(access.updateMachineInfo, { machineCode: machine.code, machineName })
  const form = useForm({
    route: access.updateMachineInfo,
    initial: { machineName: former },
    follows: true,
    required: ['machineName'],
    words: { machineName: { required: t.settings.nameEmpty } },
    send: ({ machineName }) => set(machineName.trim()),
    failed: t.settings.failed,
    onSent: (_, { machineName }) => {
      showToast(t.undo.renamed(machineName.trim()), 'done', () => void takeBack(() => set(former), refresh))
      return refresh()
    },
  })

  if (limits.mode) {
    return (
      <Setting name={t.settings.name} hint={t.settings.nameHint}>
        <p>{former}</p>
        <Locked>{t.lacks.settings}</Locked>
      </Setting>
    )
  }
  return (
    <Setting name={t.settings.name} hint={t.settings.nameHint}>
      <form className={css.nameForm} {...form.props}>
        <TextField
          label={t.settings.name}
          autoComplete="off"
          placeholder={t.settings.namePlaceholder}
          {...form.text('machineName')}
        />
        <Button
          type="submit"
          busy={form.isSending}
          disabled={!form.isSending && form.values.machineName.trim() === former}
        >
          {t.settings.save}
        </Button>
        <FormRefusal text={form.general} />
      </form>
    </Setting>
  )
}
