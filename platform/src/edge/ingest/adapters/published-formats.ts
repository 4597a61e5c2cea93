import type { Format } from './published/format.ts'
import { kepware } from './published/kepware.ts'
import { neuron } from './published/neuron.ts'
import { senml } from './published/senml.ts'
import { shelly1, shelly2 } from './published/shelly.ts'
import { tasmota } from './published/tasmota.ts'
import { telegraf } from './published/telegraf.ts'
import { zigbee2mqtt } from './published/zigbee2mqtt.ts'

/** The formats that are known by the shape of a body; each body is of one of them at most. */
export const publishedFormats: readonly Format[] = [
  neuron,
  telegraf,
  tasmota,
  shelly1,
  shelly2,
  zigbee2mqtt,
  kepware,
  senml,
]
