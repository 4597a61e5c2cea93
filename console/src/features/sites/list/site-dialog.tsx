import { siteLimits, sites } from '@busbar/contract'
import { type SiteRow, sitesKey } from '../../../entities/site/site-queries.ts'
import { call } from '../../../shared/api/client.ts'
import type { PageSpace } from '../../../shared/session/page-space.ts'
import { TextField } from '../../../shared/ui/field.tsx'
import { FormDialog } from '../../../shared/ui/form/form-dialog.tsx'
import { useForm } from '../../../shared/ui/form/use-form.ts'
import { Grid } from '../../../shared/ui/layout/layout.tsx'
import { NumberField } from '../../../shared/ui/number-field/number-field.tsx'
import { type SitesText, useSitesText } from '../sites-text.ts'
import { AddressSearch } from './address-search.tsx'

interface SiteDialogProps {
  space: PageSpace
  /** The site to change; without it a new one. */
  site?: SiteRow
  onClose: () => void
  onAdded?: (id: number) => void
}

/** The texts of a form: what is typed may be part of a number. */
interface SiteInput {
  readonly name: string
  readonly address: string
  readonly lat: string
  readonly lng: string
  readonly radiusM: string
  readonly [field: string]: string
}

const usualRadiusM = 200
const degreeDecimals = 6

/** Adds a site, or changes one. */
export function SiteDialog({ space, site, onClose, onAdded }: SiteDialogProps) {
  const t = useSitesText().form
  // A person who hides the map gets no place, and changes the rest.
  const hasPlace = site === undefined || site.lat !== null
  const form = useForm<SiteInput, number>({
    initial: {
      name: site?.name ?? '',
      address: site?.address ?? '',
      lat: String(site?.lat ?? ''),
      lng: String(site?.lng ?? ''),
      radiusM: String(site?.radiusM ?? usualRadiusM),
    },
    required: hasPlace ? ['name', 'lat', 'lng', 'radiusM'] : ['name', 'radiusM'],
    check: (values) => problemsOf(values, t),
    send: async ({ name, address, lat, lng, radiusM }) => {
      const rest = { name, radiusM: Number(radiusM) }
      const body = { ...rest, address, lat: Number(lat), lng: Number(lng) }
      if (!site) return (await call(sites.createSite, { ...space.asked, ...body })).id
      const change = hasPlace ? body : rest
      await call(sites.updateSite, { id: site.id, revision: site.revision, ...change })
      return site.id
    },
    done: (_, { name }) => (site ? t.saved : t.added(name)),
    touched: [sitesKey],
    errorFields: { PLACE_SWAPPED: 'lat', PLACE_ZERO: 'lat' },
    onSent: (id) => {
      onClose()
      onAdded?.(id)
    },
  })
  return (
    <FormDialog title={site ? t.change : t.add} submit={t.submit} form={form} onClose={onClose}>
      <TextField label={t.name} autoFocus {...form.text('name')} />
      {hasPlace && (
        <>
          <AddressSearch
            onFound={({ name, address, lat, lng }) => {
              form.set('address', address || name)
              form.set('lat', String(lat))
              form.set('lng', String(lng))
            }}
          />
          <TextField label={t.address} {...form.text('address')} />
          <Grid columns={2} gap={12}>
            <NumberField label={t.lat} decimals={degreeDecimals} step={0.001} {...form.field('lat')} />
            <NumberField label={t.lng} decimals={degreeDecimals} step={0.001} {...form.field('lng')} />
          </Grid>
        </>
      )}
      <NumberField label={t.radius} decimals={0} step={10} unit={t.metres} {...form.field('radiusM')} />
    </FormDialog>
  )
}

function problemsOf({ lat, lng, radiusM }: SiteInput, t: SitesText['form']) {
  const [north, east, radius] = [Number(lat), Number(lng), Number(radiusM)]
  const isSwapped = Math.abs(north) > 90 && Math.abs(north) <= 180 && Math.abs(east) <= 90
  return {
    lat: Number.isNaN(north)
      ? t.number
      : isSwapped
        ? t.swapped
        : Math.abs(north) > 90
          ? t.latRange
          : undefined,
    lng: Number.isNaN(east) ? t.number : Math.abs(east) > 180 ? t.lngRange : undefined,
    radiusM:
      Number.isInteger(radius) && radius >= siteLimits.radiusMin && radius <= siteLimits.radiusMax
        ? undefined
        : t.radiusRange,
  }
}
