import { enterprises } from '@busbar/contract'
import { useQuery } from '@tanstack/react-query'
import { handoverQuery } from '../../entities/enterprise/handover-queries.ts'
import { useMessageSync } from '../../entities/machine/transfer-queries.ts'
import { findLostFriend } from '../../entities/person/person-input.ts'
import {
  emptyReceiver,
  findReceiverProblem,
  ReceiverField,
  toReceiver,
} from '../../entities/person/receiver-field.tsx'
import { call } from '../../shared/api/client.ts'
import { formatMinute, useText } from '../../shared/i18n/index.ts'
import { type Enterprise, enterprisesQuery } from '../../shared/session/account-queries.ts'
import { Button } from '../../shared/ui/button.tsx'
import form from '../../shared/ui/dialogs/form.module.css'
import { FormRefusal } from '../../shared/ui/form/form-dialog.tsx'
import { useForm } from '../../shared/ui/form/use-form.ts'
import { Text } from '../../shared/ui/layout/layout.tsx'
import { ToggleGroup } from '../../shared/ui/toggle-group/toggle-group.tsx'
import { useAct } from '../../shared/ui/use-act.ts'
import css from './handover-choice.module.css'
import { useHandoverText } from './handover-text.ts'

interface HandoverChoiceProps {
  space: Enterprise
  /** Whether the devices are handed over; otherwise they lose their owner. */
  isHandedOver: boolean
  onChange: (isHandedOver: boolean) => void
}

/** The fate of a deleted enterprise's devices: a receiver is asked first to take them. */
export function HandoverChoice({ space, isHandedOver, onChange }: HandoverChoiceProps) {
  const t = useHandoverText()
  const query = handoverQuery(space.eid)
  const { data: handover, isError } = useQuery(query)
  useMessageSync(query.queryKey)
  return (
    <div className={`${form.form} ${css.choice}`}>
      {/* No wider than its two choices. */}
      <div>
        <ToggleGroup
          label={t.devices}
          value={isHandedOver ? 'hand' : 'nobody'}
          onChange={(value) => onChange(value === 'hand')}
          options={[
            { value: 'nobody', label: t.toNobody },
            { value: 'hand', label: t.toSomebody },
          ]}
        />
      </div>
      {!isHandedOver && <p className={form.hint}>{handover ? t.nobodyEnds(handover.to) : t.nobodyHint}</p>}
      {isHandedOver && isError && <p className={form.error}>{t.unread}</p>}
      {isHandedOver && handover === null && <AskForm space={space} />}
      {isHandedOver && handover && <OpenHandover eid={space.eid} handover={handover} />}
    </div>
  )
}

/** The open request: its receiver, whether they accepted, and a button to withdraw it. */
function OpenHandover({ eid, handover }: { eid: number; handover: enterprises.Handover }) {
  const t = useHandoverText()
  const { mutate, isPending } = useAct({
    call: () => call(enterprises.withdrawHandover, { eid }),
    done: t.withdrawn,
    touched: [handoverQuery(eid).queryKey],
  })
  const { to, devices, state } = handover
  const until = formatMinute(handover.expireAt)
  return (
    <>
      <Text as="p" pretty role="status">
        {state === 'accepted' ? t.ready(to, devices, until) : t.waiting(to, devices, until)}
      </Text>
      <div>
        <Button size="small" busy={isPending} onClick={() => mutate()}>
          {t.withdraw}
        </Button>
      </div>
    </>
  )
}

function AskForm({ space }: { space: Enterprise }) {
  const text = useText()
  const t = useHandoverText()
  const { data: spaces = [] } = useQuery(enterprisesQuery)
  const others = spaces.filter(({ eid }) => eid !== space.eid)
  const ask = useForm({
    route: enterprises.askHandover,
    initial: { receiver: emptyReceiver },
    check: ({ receiver }) => ({ receiver: findReceiverProblem(receiver, others, text) }),
    send: ({ receiver }) =>
      call(enterprises.askHandover, { eid: space.eid, machinesTo: toReceiver(receiver, others) }),
    errorFields: {
      '01010304': 'receiver',
      ENTERPRISE_UNKNOWN: 'receiver',
      HANDOVER_SELF: 'receiver',
      machinesTo: 'receiver',
    },
    explain: (error, { receiver: { kind, person } }) =>
      error.field === 'machinesTo'
        ? text.access.add.problems.accountForm
        : kind === 'person'
          ? findLostFriend(error, person, text)
          : undefined,
    failed: t.failed,
    touched: [handoverQuery(space.eid).queryKey],
  })
  return (
    <form {...ask.props} className={form.form}>
      <ReceiverField
        {...ask.field('receiver')}
        spaces={others}
        hints={{ person: t.askPersonHint, enterprise: t.askSpaceHint }}
      />
      <FormRefusal text={ask.general} />
      <div>
        <Button type="submit" icon="transfer" busy={ask.isSending}>
          {t.ask}
        </Button>
      </div>
    </form>
  )
}
