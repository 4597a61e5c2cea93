import { demoTank, profiles, reeferTruck } from './index.ts'
import { pasteuriserPlant } from './pasteuriser-plant.ts'
import type { Place, TagSpec, TagType, Texts } from './profile.ts'

/** A machine of the demo, as `demo-machines.json` lists it for the platform. */
export interface CatalogueEntry {
  /** `modbus` for the machine behind the Modbus server, `demo` for the one that all users may enter. */
  trade: string
  machineType: string
  model: string
  name: Texts
  remark: Texts
  /** Absent: its place is not known. */
  place?: CataloguePlace
  /** Names and units of a machine whose protocol lacks them; absent for others. */
  tags?: CatalogueTag[]
}

/** WGS-84. */
interface CataloguePlace {
  lat: number
  lng: number
  address: Texts
  source: 'gps' | 'cells' | 'manual'
  /** It goes about in its work. */
  travels?: true
  /** Where it stood before. */
  movedFrom?: { lat: number; lng: number }
}

/** A variable as people read it. */
export interface CatalogueTag {
  name: string
  type: TagType
  /** By language; `group/{lang}` names the group, `words/{lang}` the meanings of the controller's own words. */
  label: Record<string, string>
  unit: string
  scale: number | null
  min: number | null
  max: number | null
  readOnly: boolean
  isKey: boolean
}

/** The demo's machines: the twelve profiles, the Modbus machine, the demo machine, the truck. */
export function listCatalogue(): CatalogueEntry[] {
  return [...profiles, pasteuriserPlant, demoTank, reeferTruck].map(
    ({ id, machineType, model, name, remark, speaks, tags, place }) => ({
      trade: id,
      machineType,
      model,
      name,
      remark,
      ...(place.isUntold ? {} : { place: placeOf(place) }),
      ...(speaks === 'plain-json' ? { tags: tags.map(tagOf) } : {}),
    }),
  )
}

function placeOf({ lat, lng, address, source, travels, movedFrom }: Place): CataloguePlace {
  return {
    ...{ lat, lng, address },
    source: source === 'cell' ? 'cells' : (source ?? 'manual'),
    ...(travels ? { travels } : {}),
    ...(movedFrom ? { movedFrom } : {}),
  }
}

function tagOf(tag: TagSpec): CatalogueTag {
  const { name, type, displayName, groupName, unit = '', scale = null, min = null, max = null } = tag
  const wordsIn = (lang: keyof Texts) =>
    JSON.stringify(
      Object.fromEntries(Object.entries(tag.words ?? {}).map(([word, texts]) => [word, texts[lang]])),
    )
  return {
    name,
    // The type under which its values are stored.
    type: type === 'int64' ? 'float64' : type,
    label: {
      ...displayName,
      'group/cn': groupName.cn,
      'group/en': groupName.en,
      ...(tag.words ? { 'words/cn': wordsIn('cn'), 'words/en': wordsIn('en') } : {}),
    },
    unit,
    scale: scale ?? (type === 'int64' ? 0 : null),
    min,
    max,
    readOnly: tag.writable !== true,
    isKey: tag.keyTag === true,
  }
}
