import { alarmLimits, alarmRules } from '@busbar/contract'
import { useMutation, useQuery, useQueryClient } from '@tanstack/react-query'
import { useState } from 'react'
import { call } from '../../shared/api/client.ts'
import { formatNumber, useText } from '../../shared/i18n/index.ts'
import { Button, IconButton } from '../../shared/ui/button.tsx'
import { Dialog } from '../../shared/ui/dialog.tsx'
import { ConfirmDialog } from '../../shared/ui/dialogs/confirm-dialog.tsx'
import formCss from '../../shared/ui/dialogs/form.module.css'
import { TextField } from '../../shared/ui/field.tsx'
import { FormRefusal } from '../../shared/ui/form/form-dialog.tsx'
import { useForm } from '../../shared/ui/form/use-form.ts'
import { Row, Text } from '../../shared/ui/layout/layout.tsx'
import { Skeleton } from '../../shared/ui/skeleton.tsx'
import { refusalText } from '../../shared/ui/use-act.ts'
import form from './rule-form.module.css'
import css from './rule-list.module.css'
import { type AlarmRule, type RuleTemplate, rulesKey, ruleTemplatesQuery } from './rule-queries.ts'

export interface TemplatesDialogProps {
  machineId: number
  /** The rules that are saved as a template. */
  rules: readonly AlarmRule[]
  onClose: () => void
}

/** The templates for the type of a machine: applied to it, made from its rules, deleted. */
export function TemplatesDialog({ machineId, rules, onClose }: TemplatesDialogProps) {
  const text = useText()
  const t = text.alarmRules.templates
  const client = useQueryClient()
  const { data, isError } = useQuery(ruleTemplatesQuery(machineId))
  const [removing, setRemoving] = useState<RuleTemplate>()
  const [saved, countSaved] = useState(0)
  const settled = () => client.invalidateQueries({ queryKey: rulesKey(machineId) })
  const apply = useMutation({
    mutationFn: ({ id }: RuleTemplate) => call(alarmRules.applyAlarmRuleTemplate, { id, machineId }),
    onSettled: settled,
  })
  const { data: outcome } = apply
  return (
    <Dialog
      title={t.title}
      width={520}
      onClose={onClose}
      actions={<Button onClick={onClose}>{text.app.close}</Button>}
    >
      <div className={formCss.form}>
        <Text as="p" pretty>
          {t.lead}
        </Text>
        {!data && !isError && <Skeleton height={44} />}
        {isError && !data && (
          <p role="alert" className={formCss.error}>
            {t.failed}
          </p>
        )}
        {data && data.length === 0 && <p className={form.hint}>{t.none}</p>}
        {data && data.length > 0 && (
          <ul className={css.outcomes} aria-label={t.list}>
            {data.map((template) => (
              <li key={template.id}>
                <span className="cut" title={template.name}>
                  {template.name}
                </span>
                <Row as="span" gap={6}>
                  <Button
                    size="small"
                    aria-label={t.applyTo(template.name)}
                    busy={apply.isPending && apply.variables.id === template.id}
                    onClick={() => apply.mutate(template)}
                  >
                    {t.apply}
                  </Button>
                  <IconButton
                    icon="trash"
                    label={t.remove(template.name)}
                    onClick={() => setRemoving(template)}
                  />
                </Row>
                <Text spans tone="quiet" size={12} breaks>
                  {t.rules(formatNumber(template.rules))}
                </Text>
              </li>
            ))}
          </ul>
        )}
        {outcome && (
          <div role="status">
            <p>{t.applied(formatNumber(outcome.created))}</p>
            {outcome.refused.map(({ place, reason }) => (
              <p key={place} className={form.hint}>
                {t.refused(formatNumber(place), text.alarmRules.refusals[reason])}
              </p>
            ))}
          </div>
        )}
        {apply.isError && (
          <p role="alert" className={formCss.error}>
            {refusalText(apply.error, text.form.failed)}
          </p>
        )}
        {rules.length > 0 && (
          <SaveTemplate key={saved} {...{ machineId, rules }} onSaved={() => countSaved((n) => n + 1)} />
        )}
      </div>
      {removing && (
        <ConfirmDialog
          confirmation={{
            title: t.remove(removing.name),
            body: t.removeBody,
            action: text.alarmRules.remove,
            done: t.removed,
            call: () => call(alarmRules.deleteAlarmRuleTemplate, { id: removing.id, machineId }),
          }}
          onClose={() => setRemoving(undefined)}
          onSettled={settled}
        />
      )}
    </Dialog>
  )
}

interface SaveTemplateProps extends Pick<TemplatesDialogProps, 'machineId' | 'rules'> {
  onSaved: () => void
}

function SaveTemplate({ machineId, rules, onSaved }: SaveTemplateProps) {
  const text = useText()
  const t = text.alarmRules.templates
  const save = useForm({
    route: alarmRules.saveAlarmRuleTemplate,
    initial: { name: '' },
    send: ({ name }) =>
      call(alarmRules.saveAlarmRuleTemplate, {
        machineId,
        name: name.trim(),
        ids: rules.map(({ id }) => id).slice(0, alarmLimits.alarmRulesPerMachine),
      }),
    errorFields: { RULE_TEMPLATES_FULL: 'name' },
    done: (_, { name }) => t.saved(name.trim()),
    touched: [rulesKey(machineId)],
    onSent: onSaved,
  })
  return (
    <form {...save.props} className={form.section}>
      <h3 className={form.title}>{t.save}</h3>
      <p className={form.hint}>{t.saveLead(formatNumber(rules.length))}</p>
      <TextField label={t.name} {...save.text('name')} />
      <FormRefusal text={save.general} />
      <div>
        <Button type="submit" busy={save.isSending}>
          {t.save}
        </Button>
      </div>
    </form>
  )
}
