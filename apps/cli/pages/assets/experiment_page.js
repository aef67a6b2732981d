'use strict';
/// The results that stand in the page, and how its plots look.
const report = (() => {
  const results = JSON.parse(document.getElementById('results').textContent);
  const ink = '#1d2430', gray = '#4a5464', line = '#e6eaf0';

  const config = {
    font: 'system-ui, sans-serif',
    background: null,
    view: {stroke: null},
    axis: {gridColor: line, domainColor: '#c9d1dc', tickColor: '#c9d1dc', labelColor: gray,
           titleColor: ink, titleFontWeight: 400, labelFontSize: 12, titleFontSize: 12},
    legend: {labelColor: ink, titleColor: ink, titleFontWeight: 400, labelFontSize: 12,
             titleFontSize: 12, orient: 'top', labelLimit: 0, columns: 3},
  };

  function draw(id, spec) {
    const place = document.getElementById(id);
    if (!place) return;
    if (spec === null) {
      place.textContent = 'There are no figures to draw.';
      return;
    }
    const whole = {width: 'container', height: 260, autosize: {type: 'fit-x', contains: 'padding'},
                   config, ...spec};
    // Expressions are interpreted, not compiled: the page's policy forbids eval.
    vegaEmbed(place, whole, {mode: 'vega-lite', renderer: 'svg', actions: false, ast: true,
                             defaultStyle: false})
      .catch((error) => { place.textContent = 'This plot could not be drawn: ' + error.message; });
  }

  return {results, draw};
})();
