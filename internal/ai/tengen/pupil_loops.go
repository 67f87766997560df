package tengen

// addPoint adds what a point takes from the rows of its windows.
func addPoint(sum *[width]float32, rows []float32, w *[directions]uint16) {
	a, b, c, d := rowOf(rows, int(w[0])), rowOf(rows, int(w[1])), rowOf(rows, int(w[2])), rowOf(rows, int(w[3]))
	for i := range sum {
		sum[i] += min(max(a[i]+b[i]+c[i]+d[i], 0), widest)
	}
}

// learnPoint passes on what its part of the head's input should have been.
func learnPoint(in *[width]float32, rows, gradient []float32, w *[directions]uint16) {
	a, b, c, d := rowOf(rows, int(w[0])), rowOf(rows, int(w[1])), rowOf(rows, int(w[2])), rowOf(rows, int(w[3]))
	ga, gb, gc, gd := rowOf(gradient, int(w[0])), rowOf(gradient, int(w[1])), rowOf(gradient, int(w[2])), rowOf(gradient, int(w[3]))
	for i, g := range in {
		if sum := a[i] + b[i] + c[i] + d[i]; sum > 0 && sum < widest {
			ga[i] += g
			gb[i] += g
			gc[i] += g
			gd[i] += g
		}
	}
}

func dot(a, b *[width]float32) float32 {
	var sum float32
	for i := range a {
		sum += a[i] * b[i]
	}
	return sum
}

// addTimes adds so many times a row.
func addTimes(to, from *[width]float32, times float32) {
	for i, x := range from {
		to[i] += x * times
	}
}
