import { type CoordinateSystem, coordinateSystems, metresBetween, places, placeTypes } from '@busbar/contract'
import { useMutation } from '@tanstack/react-query'
import { useState } from 'react'
import type { Machine } from '../../../entities/machine/machine.ts'
import { placeKey } from '../../../entities/machine/machine-queries.ts'
import { formatDistance } from '../../../entities/place/format-distance.ts'
import type { Place } from '../../../entities/place/map-point.ts'
import { usePlaceText } from '../../../entities/place/place-text.ts'
import { call } from '../../../shared/api/client.ts'
import { Button } from '../../../shared/ui/button.tsx'
import { TextField } from '../../../shared/ui/field.tsx'
import { SelectField } from '../../../shared/ui/fields/choice-fields.tsx'
import { FormDialog } from '../../../shared/ui/form/form-dialog.tsx'
import { useForm } from '../../../shared/ui/form/use-form.ts'
import { isComposing } from '../../../shared/ui/keys.ts'
import { Note, Row, Stack, Text } from '../../../shared/ui/layout/layout.tsx'
import { ToggleGroup } from '../../../shared/ui/toggle-group/toggle-group.tsx'
import { refusalText } from '../../../shared/ui/use-act.ts'
import css from './place-dialog.module.css'

const ways = ['coordinates', 'address'] as const
type Way = (typeof ways)[number]
type Choice = Awaited<ReturnType<typeof search>>[number]

const search = (q: string) => call(places.searchAddress, { q }, { noNotice: true })

/** Two numbers as people copy them from a map. */
const pair = /^\s*(-?\d+(?:\.\d+)?)\s*[,，\s]\s*(-?\d+(?:\.\d+)?)\s*$/
const isNumber = (text: string) => /^\s*-?\d+(\.\d+)?\s*$/.test(text)

interface PlaceDialogProps {
  machine: Machine
  /** Where it is now. */
  place: Place | null
  onClose: () => void
}

/** Sets the place of a machine by coordinates of any system, or by an address. */
export function PlaceDialog({ machine, place, onClose }: PlaceDialogProps) {
  const text = usePlaceText()
  const t = text.dialog
  const form = useForm({
    initial: {
      way: 'coordinates' as Way,
      coord: 'wgs84' as CoordinateSystem,
      lat: '',
      lng: '',
      chosen: null as Choice | null,
    },
    check: ({ way, lat, lng, chosen }) =>
      way === 'address'
        ? { chosen: chosen ? undefined : t.notChosen }
        : {
            lat: isNumber(lat) ? undefined : t.notDegrees,
            lng: isNumber(lng) ? undefined : t.notDegrees,
          },
    send: ({ way, coord, lat, lng, chosen }) => {
      const given =
        way === 'address' && chosen
          ? { type: placeTypes.search, lat: chosen.lat, lng: chosen.lng, address: chosen.address }
          : { type: placeTypes.manual, lat: Number(lat), lng: Number(lng), coord }
      return call(places.setMachineLocation, { machineID: machine.id, ...given }, { noNotice: true })
    },
    errorFields: { PLACE_SWAPPED: 'lat', PLACE_ZERO: 'lat', lat: 'lat', lng: 'lng' },
    done: text.set,
    touched: [placeKey(machine.id)],
    onSent: onClose,
  })
  const { way, lat } = form.values

  return (
    <FormDialog title={t.title(machine.name)} submit={t.save} form={form} onClose={onClose}>
      <ToggleGroup
        label={t.way}
        options={ways.map((value) => ({ value, label: t[value] }))}
        value={way}
        onChange={(next) => form.set('way', next)}
      />
      {way === 'coordinates' ? (
        <>
          <SelectField
            label={t.system}
            {...form.field('coord')}
            options={coordinateSystems.map((value) => ({ value, label: t.systems[value] }))}
          />
          <Row gap={12} align="start" className={css.pair}>
            <TextField
              label={t.lat}
              autoComplete="off"
              inputMode="decimal"
              {...form.text('lat')}
              value={lat}
              onChange={(typed) => {
                const [, first, second] = pair.exec(typed) ?? []
                form.set('lat', first ?? typed)
                if (second !== undefined) form.set('lng', second)
              }}
            />
            <TextField label={t.lng} autoComplete="off" inputMode="decimal" {...form.text('lng')} />
          </Row>
          <Note>{t.pasteHint}</Note>
        </>
      ) : (
        <AddressSearch from={place} {...form.field('chosen')} />
      )}
    </FormDialog>
  )
}

interface AddressSearchProps {
  from: Place | null
  value: Choice | null
  error: string | undefined
  onChange: (chosen: Choice | null) => void
}

function AddressSearch({ from, value, error, onChange }: AddressSearchProps) {
  const t = usePlaceText().dialog
  const [typed, type] = useState('')
  const {
    mutate,
    data,
    variables,
    isPending,
    error: failure,
  } = useMutation({
    mutationFn: search,
    onMutate: () => onChange(null),
    // The only place needs no choice.
    onSuccess: (found) => onChange(found.length === 1 ? (found[0] ?? null) : null),
  })
  const find = () => {
    if (typed.trim()) mutate(typed.trim())
  }
  const problem = failure ? refusalText(failure, t.nothing(variables ?? '')) : error
  return (
    <Stack gap={8}>
      <TextField
        label={t.search}
        autoComplete="off"
        value={typed}
        onChange={type}
        error={problem}
        onKeyDown={(event) => {
          // Enter that ends an input method's word searches nothing: searches are counted.
          if (event.key !== 'Enter' || isComposing(event.nativeEvent)) return
          event.preventDefault()
          find()
        }}
        after={
          <Button size="small" kind="ghost" icon="search" busy={isPending} onClick={find}>
            {t.find}
          </Button>
        }
      />
      <Note>{t.searchHint}</Note>
      {data && data.length === 0 && <p role="status">{t.nothing(variables ?? '')}</p>}
      {data && data.length > 0 && (
        <ul className={css.choices} aria-label={t.found}>
          {data.map((choice) => (
            <li key={`${choice.address} ${choice.lat} ${choice.lng}`}>
              <button
                type="button"
                aria-pressed={choice === value}
                className={css.choice}
                onClick={() => onChange(choice)}
              >
                <span>{choice.address}</span>
                <Text tone="quiet" size="12/18">
                  {from ? t.away(formatDistance(metresBetween(from, choice))) : choice.name}
                </Text>
              </button>
            </li>
          ))}
        </ul>
      )}
    </Stack>
  )
}
