package load

import (
	"context"
	"fmt"
	"net/http"
)

// Run measures the floors and the real server in turn in each scenario and
// returns what was found. Nothing of it is left running or lying about when it
// returns.
func Run(ctx context.Context, cfg Config) (*Report, error) {
	trials, err := cfg.plan()
	if err != nil {
		return nil, err
	}
	if err := bindSelf(cfg.ClientCPU); err != nil {
		return nil, err
	}
	sessions := &http.Transport{MaxIdleConnsPerHost: openers}
	defer sessions.CloseIdleConnections()
	report := &Report{Setting: newSetting(cfg)}
	if cfg.Store == Embedded {
		took, err := syncTime(cfg.Folder)
		if err != nil {
			return nil, err
		}
		report.Notes = append(report.Notes, fmt.Sprintf("a synced write to the store's disk took %.2f ms (median, before the games).", micros(took)/1000))
	}
	for _, t := range trials {
		outcome := Outcome{Scenario: t.scenario.name, Store: t.cfg.storeKind(), Sizes: t.cfg.Sizes, Without: t.scenario.without}
		for _, s := range t.services(&http.Client{Transport: sessions}) {
			t.service = s
			result, err := t.scenario.run(ctx, &t)
			if err != nil {
				return nil, fmt.Errorf("%s: %s: %w", t.scenario.name, s.name(), err)
			}
			result.Service, result.Procs = s.name(), t.procs
			outcome.Results = append(outcome.Results, *result)
		}
		outcome.compare(t.scenario)
		report.Scenarios = append(report.Scenarios, outcome)
	}
	report.noteProcs(cfg.ServerProcs)
	return report, nil
}

// services are who takes part in the scenario, the floors first.
func (t *trial) services(sessions *http.Client) (all []service) {
	if !t.scenario.alone {
		all = append(all, floor{clock: t.cfg.Clock})
		if t.cfg.Store != Embedded {
			all = append(all, floor{clock: t.cfg.Clock, durable: true})
		}
	}
	return append(all, gomokud{clock: t.cfg.Clock, http: sessions})
}
