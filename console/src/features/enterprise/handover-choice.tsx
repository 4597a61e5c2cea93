import { ApiError, enterprises, errorText, type Lang } from '@busbar/contract'
import { useMutation, useQuery, useQueryClient } from '@tanstack/react-query'
import { useState } from 'react'
import { handoverQuery } from '../../entities/enterprise/handover-queries.ts'
import { useMessageSync } from '../../entities/machine/transfer-queries.ts'
import { findLostFriend } from '../../entities/person/person-input.ts'
import {
  emptyReceiver,
  findReceiverProblem,
  ReceiverField,
  type ReceiverInput,
  toReceiver,
} from '../../entities/person/receiver-field.tsx'
import { call } from '../../shared/api/client.ts'
import { formatMinute, type Text, useLang, useText } from '../../shared/i18n/index.ts'
import { type Enterprise, enterprisesQuery } from '../../shared/session/account-queries.ts'
import { Button } from '../../shared/ui/button.tsx'
import form from '../../shared/ui/dialogs/form.module.css'
import { ToggleGroup } from '../../shared/ui/toggle-group/toggle-group.tsx'
import { useAct } from '../../shared/ui/use-act.ts'
import css from './handover-choice.module.css'

interface HandoverChoiceProps {
  space: Enterprise
  /** Whether the devices are handed over; otherwise they belong to nobody. */
  isHandedOver: boolean
  onChange: (isHandedOver: boolean) => void
}

/** What becomes of the devices of an enterprise that is deleted: somebody is asked first to take them. */
export function HandoverChoice({ space, isHandedOver, onChange }: HandoverChoiceProps) {
  const t = useText().handover
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

/** The request that is open: its receiver, whether they accepted, and the way to take it back. */
function OpenHandover({ eid, handover }: { eid: number; handover: enterprises.Handover }) {
  const t = useText().handover
  const { mutate, isPending } = useAct({
    call: () => call(enterprises.withdrawHandover, { eid }),
    done: t.withdrawn,
    touched: [handoverQuery(eid).queryKey],
  })
  const { to, devices, state } = handover
  const until = formatMinute(handover.expireAt)
  return (
    <>
      <p className={form.body} role="status">
        {state === 'accepted' ? t.ready(to, devices, until) : t.waiting(to, devices, until)}
      </p>
      <div>
        <Button size="small" busy={isPending} onClick={() => mutate()}>
          {t.withdraw}
        </Button>
      </div>
    </>
  )
}

const receiverCodes = ['01010304', 'ENTERPRISE_UNKNOWN', 'HANDOVER_SELF'] as const

function explain(error: unknown, receiver: ReceiverInput, text: Text, lang: Lang): string {
  const lost = receiver.kind === 'person' && findLostFriend(error, receiver.person, text)
  if (lost) return lost
  if (!(error instanceof ApiError)) return text.handover.failed
  if (error.field === 'machinesTo') return text.access.add.problems.accountForm
  const isKnown = error.http === 200 || receiverCodes.some((code) => error.is(code))
  return (isKnown && errorText(error.code, lang)) || text.handover.failed
}

function AskForm({ space }: { space: Enterprise }) {
  const text = useText()
  const t = text.handover
  const lang = useLang()
  const queries = useQueryClient()
  const { data: spaces = [] } = useQuery(enterprisesQuery)
  const others = spaces.filter(({ eid }) => eid !== space.eid)
  const [receiver, setReceiver] = useState<ReceiverInput>(emptyReceiver)
  const [problem, setProblem] = useState<string>()
  const { mutate, isPending } = useMutation({
    mutationFn: () =>
      call(enterprises.askHandover, { eid: space.eid, machinesTo: toReceiver(receiver, others) }),
    onSuccess: () => setProblem(undefined),
    onError: (error) => setProblem(explain(error, receiver, text, lang)),
    onSettled: () => queries.invalidateQueries({ queryKey: handoverQuery(space.eid).queryKey }),
  })

  function submit() {
    const found = findReceiverProblem(receiver, others, text)
    setProblem(found)
    if (!found) mutate()
  }

  return (
    <>
      <ReceiverField
        value={receiver}
        spaces={others}
        error={problem}
        hints={{ person: t.askPersonHint, enterprise: t.askSpaceHint }}
        onChange={(next) => {
          setReceiver(next)
          setProblem(undefined)
        }}
      />
      <div>
        <Button icon="transfer" busy={isPending} onClick={submit}>
          {t.ask}
        </Button>
      </div>
    </>
  )
}
