// The pages of docs/cookbook/ by name.

import bothVenues from '../../docs/cookbook/both-venues.md' with { type: 'text' }
import crossed from '../../docs/cookbook/crossed.md' with { type: 'text' }
import depthInBand from '../../docs/cookbook/depth-in-band.md' with { type: 'text' }
import event from '../../docs/cookbook/event.md' with { type: 'text' }
import files from '../../docs/cookbook/files.md' with { type: 'text' }
import hftbacktest from '../../docs/cookbook/hftbacktest.md' with { type: 'text' }
import month from '../../docs/cookbook/month.md' with { type: 'text' }
import nautilus from '../../docs/cookbook/nautilus.md' with { type: 'text' }
import noonBooks from '../../docs/cookbook/noon-books.md' with { type: 'text' }
import orderFlow from '../../docs/cookbook/order-flow.md' with { type: 'text' }
import contents from '../../docs/cookbook/README.md' with { type: 'text' }
import slippage from '../../docs/cookbook/slippage.md' with { type: 'text' }
import spread from '../../docs/cookbook/spread.md' with { type: 'text' }
import vwap from '../../docs/cookbook/vwap.md' with { type: 'text' }

export const COOKBOOK: Readonly<Record<string, string>> = {
  'cookbook/README.md': contents,
  'cookbook/both-venues.md': bothVenues,
  'cookbook/crossed.md': crossed,
  'cookbook/depth-in-band.md': depthInBand,
  'cookbook/event.md': event,
  'cookbook/files.md': files,
  'cookbook/hftbacktest.md': hftbacktest,
  'cookbook/month.md': month,
  'cookbook/nautilus.md': nautilus,
  'cookbook/noon-books.md': noonBooks,
  'cookbook/order-flow.md': orderFlow,
  'cookbook/slippage.md': slippage,
  'cookbook/spread.md': spread,
  'cookbook/vwap.md': vwap,
}
