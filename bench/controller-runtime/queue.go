package main

import (
	"fmt"
	"time"

	"k8s.io/apimachinery/pkg/types"
	"k8s.io/client-go/util/workqueue"
	ctrl "sigs.k8s.io/controller-runtime"
	"sigs.k8s.io/controller-runtime/pkg/controller/priorityqueue"
)

// measureQueues prints the time of adding, taking, forgetting and finishing one key, in nanoseconds, for both queues of controller-runtime.
func measureQueues(keys, rounds int) {
	limiter := workqueue.DefaultTypedControllerRateLimiter[ctrl.Request]
	classic := workqueue.NewTypedRateLimitingQueue(limiter())
	priority := priorityqueue.New("bench", func(options *priorityqueue.Opts[ctrl.Request]) { options.RateLimiter = limiter() })
	printLine(map[string]any{
		"event":      "queue",
		"classicNs":  measureQueue(classic, keys, rounds),
		"priorityNs": measureQueue(priority, keys, rounds),
	})
}

func measureQueue(queue workqueue.TypedRateLimitingInterface[ctrl.Request], keys, rounds int) float64 {
	requests := make([]ctrl.Request, keys)
	for index := range requests {
		requests[index].NamespacedName = types.NamespacedName{Namespace: "default", Name: fmt.Sprintf("widget-%d", index)}
	}
	var best float64
	for round := 0; round < rounds; round++ {
		started := time.Now()
		for _, request := range requests {
			queue.Add(request)
		}
		for range requests {
			request, _ := queue.Get()
			queue.Forget(request)
			queue.Done(request)
		}
		took := float64(time.Since(started).Nanoseconds()) / float64(keys)
		if round == 0 || took < best {
			best = took
		}
	}
	queue.ShutDown()
	return best
}
