import { onboarding } from '@busbar/contract'
import { useQuery } from '@tanstack/react-query'
import { useNavigate } from '@tanstack/react-router'
import { machineListQuery } from '../../entities/machine/machine-queries.ts'
import { call } from '../../shared/api/client.ts'
import { formatNumber, useLang } from '../../shared/i18n/index.ts'
import { requestAction } from '../../shared/session/pending-action.ts'
import { Button } from '../../shared/ui/button.tsx'
import { EmptyState } from '../../shared/ui/empty-state.tsx'
import { TextField } from '../../shared/ui/field.tsx'
import { FormRefusal } from '../../shared/ui/form/form-dialog.tsx'
import { useForm } from '../../shared/ui/form/use-form.ts'
import { Note, Row, Stack, Text } from '../../shared/ui/layout/layout.tsx'
import { ShapeWait } from '../../shared/ui/shape-wait.tsx'
import css from './connect.module.css'
import { onboardingLimitQuery } from './connect-queries.ts'
import { useConnectText } from './connect-text.ts'
import { keepMade } from './made.ts'
import { Steps } from './steps.tsx'
import { useToList } from './use-to-list.ts'

interface KindFormProps {
  eid: number | undefined
}

/** The first step, where the platform and the limit allow it. */
export function KindForm({ eid }: KindFormProps) {
  const t = useConnectText()
  const { data, isFetching, isError, refetch } = useQuery(onboardingLimitQuery(eid))
  const toList = useToList(eid)
  if (!data) {
    if (!isError) return <ShapeWait shape="form" />
    return (
      <EmptyState icon="warning" title={t.failed}>
        <Button icon="refresh" busy={isFetching} onClick={() => void refetch()}>
          {t.retry}
        </Button>
      </EmptyState>
    )
  }
  if (data.used < data.max) return <Fields eid={eid} {...data} />
  const isOff = data.max === 0
  return (
    <EmptyState
      icon="lock"
      title={isOff ? t.off.title : t.full.title}
      hint={isOff ? t.off.hint : t.full.hint(formatNumber(data.max))}
    >
      <Button onClick={() => toList()}>{t.toList}</Button>
    </EmptyState>
  )
}

interface Entered {
  name: string
  kind: onboarding.OnboardingKind
  [name: string]: string
}

function Fields({ eid, used, max }: KindFormProps & { used: number; max: number }) {
  const t = useConnectText()
  const lang = useLang()
  const navigate = useNavigate()
  const toList = useToList(eid)
  const form = useForm({
    route: onboarding.connectMachine,
    initial: { name: '', kind: 'agent' } as Entered,
    errorFields: { '04010412': 'name' },
    send: ({ name, kind }) =>
      call(onboarding.connectMachine, { name: name.trim(), kind, ...(eid === undefined ? {} : { eid }) }),
    failed: t.form.failed,
    touched: [machineListQuery(lang).queryKey, ['onboarding']],
    onSent: (made) => {
      keepMade(made)
      const search = { machineId: made.machineId, ...(eid === undefined ? {} : { eid }) }
      return navigate({ to: '/connect', search, replace: true })
    },
  })
  return (
    <>
      <Steps at="kind" />
      <form {...form.props}>
        <Stack gap={20}>
          <TextField
            label={t.form.name}
            placeholder={t.form.placeholder}
            autoComplete="off"
            autoFocus
            {...form.text('name')}
          />
          <fieldset className={css.kinds}>
            <Text as="div" tone="soft" size="12/16" weight={500} below={6}>
              <legend>{t.form.kind}</legend>
            </Text>
            {onboarding.onboardingKinds.map((kind) => (
              <label key={kind} className={css.kind}>
                <input
                  type="radio"
                  name="kind"
                  checked={form.values.kind === kind}
                  onChange={() => form.set('kind', kind)}
                />
                <Stack gap={2} shrinks>
                  <Text weight={600}>{t.kinds[kind].name}</Text>
                  <Text tone="soft" size="12/18" pretty>
                    {t.kinds[kind].hint}
                  </Text>
                </Stack>
              </label>
            ))}
          </fieldset>
          <FormRefusal text={form.general} />
          <Row gap="8 16" wraps>
            <Button kind="primary" size="large" type="submit" busy={form.isSending}>
              {t.form.submit}
            </Button>
            <Text tone="quiet" size={12} numbers>
              {t.form.used(formatNumber(used), formatNumber(max))}
            </Text>
          </Row>
          <Note>
            {t.form.labelled}{' '}
            <button
              type="button"
              className={css.way}
              onClick={() => {
                requestAction('addMachine')
                toList()
              }}
            >
              {t.form.add}
            </button>
          </Note>
        </Stack>
      </form>
    </>
  )
}
