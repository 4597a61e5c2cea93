import type { mapText as cn } from '../cn/map.ts'
import { placeSources } from './place-sources.ts'

export const mapText: typeof cn = {
  label: 'Map of devices',
  loading: 'Loading the map…',
  schematic: 'Schematic map, not surveyed',
  base: { label: 'Base map', schematic: 'Schematic' },
  movePin: 'Drag it, or use the arrow keys',
  tools: {
    label: 'Map tools',
    zoomIn: 'Zoom in',
    zoomOut: 'Zoom out',
    fit: 'Show all',
    worst: 'Next device in alarm',
    noAlarm: 'No device is in alarm',
    near: 'Near me',
    lasso: 'Select by drawing',
    endLasso: 'Stop drawing',
  },
  near: {
    here: 'I am here',
    denied: 'The browser doesn’t share your position. Allow it in the browser’s settings.',
    failed: 'The browser couldn’t find your position',
    asking: 'Finding your position…',
  },
  search: {
    label: 'Find a place or address',
    placeholder: 'Place or address',
    results: (n) => (n === 1 ? '1 place found' : `${n} places found`),
    nothing: (text) => `No places for “${text}”`,
    failed: 'The search failed. Try again later.',
    clear: 'Clear the results',
  },
  list: {
    label: 'Devices in this area',
    inView: (n) => (n === 1 ? '1 device in this area' : `${n} devices in this area`),
    stack: (n) => `${n} devices here`,
    endStack: 'Show all devices in this area',
    nothing: 'No devices in this area',
    nothingHint: 'Move the map, zoom out, or show all devices.',
    noPlaces: 'No device has a place',
    noPlacesHint: 'Devices appear here when they report a position, or when a place is set in their details.',
    away: (distance) => `${distance} away`,
    select: 'Select',
  },
  unplaced: (n) => `${n} without a place`,
  card: {
    label: (name) => `${name}, map card`,
    close: 'Close the card',
    details: 'Details',
    place: (accuracy, source, at) =>
      [...(accuracy === undefined ? [] : [`±${accuracy}`]), placeSources[source], at].join(', '),
  },
  cluster: (n) => `${n} devices`,
  regions: {
    title: 'Devices by region',
    hint: 'The region is that of the nearest large city.',
    noWebGl: 'This browser can’t draw the map. Devices are listed by region instead.',
    far: 'Far from any large city',
    none: 'Without a place',
    count: (n) => (n === 1 ? '1 device' : `${n} devices`),
  },
  hidden: {
    title: 'The map is hidden',
    hint: (page) => `Your account is set to hide maps and places. You can change this under “${page}”.`,
    toList: 'Open the device list',
  },
}
