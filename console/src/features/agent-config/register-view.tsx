import { agentConfig } from '@busbar/contract'
import { useQuery } from '@tanstack/react-query'
import { useState } from 'react'
import { agentConfigKey } from '../../entities/machine/agent-config-queries.ts'
import { call } from '../../shared/api/client.ts'
import { Stack } from '../../shared/ui/layout/layout.tsx'
import { NumberField } from '../../shared/ui/number-field/number-field.tsx'
import { Select } from '../../shared/ui/select/select.tsx'
import { Skeleton } from '../../shared/ui/skeleton.tsx'
import { useAgentConfigText } from './agent-config-text.ts'
import { type Connection, tagsOf, toggleRegister, withTags } from './draft.ts'
import css from './drivers.module.css'
import { LookFailure } from './look-failure.tsx'
import { type Proved, readOrAsk } from './proved.ts'
import {
  decode,
  type RegisterType,
  registerTypes,
  shortNumber,
  type WordOrder,
  widthOf,
  wordOrders,
} from './registers.ts'

const valuesMs = 2_000
const addressMax = 65_535

type Area = (typeof agentConfig.registerAreas)[number]

interface RegisterViewProps {
  machineId: number
  connection: Connection
  proved: Proved
  isLocked: boolean
  onChange: (next: Connection) => void
}

/** The registers of a Modbus device as they are now, in all orders of their words; a chosen value becomes a variable. */
export function RegisterView({ machineId, connection, proved, isLocked, onChange }: RegisterViewProps) {
  const t = useAgentConfigText().registers
  const [area, setArea] = useState<Area>('holding')
  const [start, setStart] = useState('0')
  const [count, setCount] = useState('16')
  const [type, setType] = useState<RegisterType>('float32')
  const isBit = area === 'coil' || area === 'discrete'
  const looked = withTags(connection, [])
  const address = whole(start, 0, addressMax)
  const registers = whole(
    count,
    1,
    Math.min(agentConfig.agentConfigLimits.registersMax, addressMax + 1 - address),
  )
  const query = useQuery({
    queryKey: [...agentConfigKey(machineId), 'registers', JSON.stringify(looked), area, address, registers],
    queryFn: ({ signal }) =>
      readOrAsk(proved, () =>
        call(
          agentConfig.readAgentRegisters,
          { machineId, connection: looked, area, address, count: registers },
          { signal, silent: true },
        ),
      ),
    retry: false,
    gcTime: 0,
    refetchInterval: ({ state }) => (state.status === 'error' ? false : valuesMs),
  })
  // A single register has two orders of its bytes, more registers have four of bytes and words.
  const orders: readonly WordOrder[] = widthOf(type) === 1 ? ['ABCD', 'BADC'] : wordOrders
  const values = query.data?.values ?? []
  return (
    <Stack surface="well" pad="10 12" gap={10}>
      <div className={css.asked}>
        <Select
          label={t.area}
          value={area}
          onChange={setArea}
          choices={agentConfig.registerAreas.map((value) => ({ value, label: t.areas[value] }))}
        />
        <NumberField
          label={t.start}
          value={start}
          onChange={setStart}
          decimals={0}
          min={0}
          max={addressMax}
        />
        <NumberField
          label={t.count}
          value={count}
          onChange={setCount}
          decimals={0}
          min={1}
          max={agentConfig.agentConfigLimits.registersMax}
        />
        {!isBit && (
          <Select
            label={t.as}
            value={type}
            onChange={setType}
            choices={registerTypes.map((value) => ({ value, label: value }))}
          />
        )}
      </div>
      {query.isError ? (
        <LookFailure error={query.error} isFetching={query.isFetching} retry={() => void query.refetch()} />
      ) : query.data ? (
        <>
          <p className={css.minor}>{t.hint}</p>
          <div className={css.scroll}>
            <table className={css.table}>
              <thead>
                <tr>
                  <th>{t.address}</th>
                  <th>{t.raw}</th>
                  {!isBit && orders.map((order) => <th key={order}>{labelOf(order)}</th>)}
                </tr>
              </thead>
              <tbody>
                {values.map((raw, index) => {
                  const place = `${area}:${address + index}`
                  return (
                    <tr key={place}>
                      <td className={css.code}>{address + index}</td>
                      <td>{isBit ? choice(place, null, String(raw)) : raw}</td>
                      {!isBit &&
                        orders.map((order) => {
                          const value = decode(values, index, type, order)
                          return (
                            <td key={order}>
                              {value === null ? '–' : choice(place, order, shortNumber(value))}
                            </td>
                          )
                        })}
                    </tr>
                  )
                })}
              </tbody>
            </table>
          </div>
        </>
      ) : (
        <Skeleton height={160} />
      )}
    </Stack>
  )

  function labelOf(order: WordOrder): string {
    return widthOf(type) === 1 ? { ABCD: 'AB', BADC: 'BA', CDAB: '', DCBA: '' }[order] : order
  }

  function choice(place: string, order: WordOrder | null, text: string) {
    const own = { address: place, type: isBit ? 'bool' : type, wordOrder: order }
    const isChosen = tagsOf(connection).some(
      (tag) =>
        tag.address === own.address && tag.type === own.type && (order === null || tag.wordOrder === order),
    )
    return (
      <button
        type="button"
        className={css.pick}
        aria-pressed={isChosen}
        disabled={isLocked}
        aria-label={`${text} – ${t.choose(place, order ?? '')}`}
        onClick={() => onChange(toggleRegister(connection, own))}
      >
        {text}
      </button>
    )
  }
}

/** A whole number inside the range, whatever was typed so far. */
function whole(text: string, least: number, most: number): number {
  const number = Math.trunc(Number(text))
  return Number.isFinite(number) ? Math.min(most, Math.max(least, number)) : least
}
