// Suggests a time zone for an unknown name: `berlin` and `Europ/Berlin` → Europe/Berlin.
import { closest } from './suggest.js';

export function similarTimezone(name: string): string | undefined {
  const zones = Intl.supportedValuesOf('timeZone');
  const place = `/${name.toLowerCase().trim().replace(/ /g, '_')}`;
  return zones.find((zone) => place.length > 1 && zone.toLowerCase().endsWith(place)) ?? closest(name, zones);
}
